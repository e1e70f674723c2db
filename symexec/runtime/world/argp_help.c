/* What argp tells users: how a program is used, its options in groups, where to report bugs.
 *
 * Lines are filled as glibc fills them with the settings that it has without ARGP_HELP_FMT, which is not read.
 */
#include "argp.h"

enum { LETTERS_AT = 2, NAMES_AT = 6, OTHERS_AT = 2, TEXTS_AT = 29, HEADERS_AT = 1, USAGE_AT = 12, WIDTH = 79 };

/* Keys of help filters. */
enum { PRE = 0x2000001, POST = 0x2000002, HEADER = 0x2000003, EXTRA = 0x2000004, NOTE = 0x2000005, ARGUMENTS = 0x2000006 };

size_t strlen(const char *text);
char *strchr(const char *text, int character);
int strcasecmp(const char *one, const char *other);
int tolower(int letter);
int isalnum(int letter);
void *calloc(size_t count, size_t size);
extern const char *argp_program_bug_address;

/* Lines under way. */
struct page {
  FILE *stream;
  size_t column;
  size_t margin; /* where lines begin that continue one */
};

/* An option with its other names. */
struct entry {
  const struct argp_option *real;
  int count;
  int group;
  int node;    /* whose it is */
  int cluster; /* the node below whose header it stands; -1 for none */
};

struct list {
  struct tree tree;
  const struct argp_state *state;
  struct entry *entries;
  int count;
  const struct entry *last;
  bool separates, suppresses;
};

static void put(struct page *page, char letter) {
  stream_write(page->stream, &letter, 1);
  page->column = letter == '\n' ? 0 : page->column + 1;
}

static void indent(struct page *page, size_t to) {
  while (page->column < to)
    put(page, ' ');
}

static void put_text(struct page *page, const char *text) {
  for (; *text != 0; text++)
    put(page, *text);
}

/* Words, on as many lines as it takes; lines of the text itself end where they end. */
static void fill(struct page *page, const char *text) {
  while (*text != 0) {
    size_t blanks = 0, length = 0;
    while (text[blanks] == ' ')
      blanks++;
    while (text[blanks + length] != 0 && text[blanks + length] != ' ' && text[blanks + length] != '\n')
      length++;
    if (length > 0 && blanks > 0 && page->column + blanks + length > WIDTH && page->column > page->margin) {
      put(page, '\n');
    } else {
      for (size_t i = 0; i < blanks; i++)
        put(page, ' ');
    }
    if (length > 0 && page->column == 0)
      indent(page, page->margin);
    for (size_t i = 0; i < length; i++)
      put(page, text[blanks + i]);
    text += blanks + length;
    if (*text == '\n') {
      put(page, '\n');
      text++;
    }
  }
}

/* A text as the program's filter has it. */
static const char *filtered(const struct list *list, int node, int key, const char *text) {
  const struct argp *argp = list->tree.nodes[node].argp;
  if (argp->help_filter == NULL)
    return text;
  return argp->help_filter(key, text, argp_input(argp, list->state));
}

static void drop(const char *text, const char *given) {
  if (text != given)
    free((void *)text);
}

/* ---- Entries in their order ---- */

static bool is_shown(const struct argp_option *option) { return !(option->flags & HIDDEN); }

static bool is_header(const struct entry *entry) { return entry->real->name == NULL && entry->real->key == 0; }

/* Groups come in the order 0, 1, 2, ..., -2, -1. */
static int before(int one, int other) {
  if ((one < 0) == (other < 0))
    return one < other ? -1 : one > other;
  return one < 0 ? 1 : -1;
}

static int letter_of(const struct entry *entry) {
  for (int i = 0; i < entry->count; i++)
    if (is_letter_option(&entry->real[i]) && is_shown(&entry->real[i]))
      return entry->real[i].key;
  return 0;
}

static const char *name_of(const struct entry *entry) {
  for (int i = 0; i < entry->count; i++)
    if (entry->real[i].name != NULL && is_shown(&entry->real[i]))
      return entry->real[i].name;
  return NULL;
}

static int depth_of(const struct list *list, int cluster) {
  int depth = 0;
  for (; cluster >= 0; depth++) {
    int parent = list->tree.nodes[cluster].parent;
    while (parent >= 0 && !(list->tree.nodes[parent].child != NULL &&
                            (list->tree.nodes[parent].child->header != NULL || list->tree.nodes[parent].child->group)))
      parent = list->tree.nodes[parent].parent;
    cluster = parent;
  }
  return depth;
}

static int above(const struct list *list, int cluster) {
  int parent = list->tree.nodes[cluster].parent;
  while (parent >= 0 && (list->tree.nodes[parent].child == NULL ||
                         (list->tree.nodes[parent].child->header == NULL && !list->tree.nodes[parent].child->group)))
    parent = list->tree.nodes[parent].parent;
  return parent;
}

/* Options that stand side by side: those of one cluster, or one against a whole cluster. */
static int compare(const struct list *list, const struct entry *one, const struct entry *other) {
  int first = one->cluster, second = other->cluster;
  int down_first = depth_of(list, first), down_second = depth_of(list, second);
  /* The clusters below which both stand, and what stands there. */
  int group_first = one->group, group_second = other->group;
  bool whole_first = false, whole_second = false;
  int at_first = -1, at_second = -1;
  while (first != second) {
    if (down_first >= down_second) {
      group_first = list->tree.nodes[first].child->group;
      at_first = first;
      first = above(list, first), down_first--, whole_first = true;
    } else {
      group_second = list->tree.nodes[second].child->group;
      at_second = second;
      second = above(list, second), down_second--, whole_second = true;
    }
  }
  int order = before(group_first, group_second);
  if (order != 0)
    return order;
  if (whole_first != whole_second)
    return whole_first ? 1 : -1;
  if (whole_first)
    return at_first - at_second;
  if (is_header(one) != is_header(other))
    return is_header(one) ? -1 : 1;
  if ((one->real->flags & NO_OPTION) != (other->real->flags & NO_OPTION))
    return one->real->flags & NO_OPTION ? 1 : -1;
  int letter = letter_of(one), letter_other = letter_of(other);
  const char *name = name_of(one), *name_other = name_of(other);
  if (letter == 0 && letter_other == 0 && name != NULL && name_other != NULL)
    return strcasecmp(name, name_other);
  letter = letter != 0 ? letter : name != NULL ? name[0] : 0;
  letter_other = letter_other != 0 ? letter_other : name_other != NULL ? name_other[0] : 0;
  order = tolower(letter) - tolower(letter_other);
  return order != 0 ? order : letter_other - letter;
}

/* Whether an option was there under this name before. */
static bool is_shadowed(const struct list *list, const struct entry *entry, const struct argp_option *option) {
  for (const struct entry *earlier = list->entries; earlier < entry; earlier++)
    for (int i = 0; i < earlier->count; i++) {
      const struct argp_option *known = &earlier->real[i];
      if (known->name != NULL && option->name != NULL && strcasecmp(known->name, option->name) == 0 &&
          !(known->flags & NO_OPTION))
        return true;
    }
  return false;
}

static void add_entries(struct list *list, int node) {
  const struct argp_option *option = list->tree.nodes[node].argp->options;
  int group = 0, cluster = node;
  while (cluster >= 0 && (list->tree.nodes[cluster].child == NULL || (list->tree.nodes[cluster].child->header == NULL &&
                                                                      !list->tree.nodes[cluster].child->group)))
    cluster = list->tree.nodes[cluster].parent;
  struct entry *entry = NULL;
  for (; option != NULL && !is_end(option); option++) {
    if (option->flags & ALIAS && entry != NULL) {
      entry->count++;
      continue;
    }
    if (option->group != 0)
      group = option->group;
    else if (option->name == NULL && option->key == 0)
      group++;
    entry = &list->entries[list->count++];
    *entry = (struct entry){option, 1, group, node, cluster};
  }
}

static bool make_list(struct list *list, const struct argp *argp, const struct argp_state *state) {
  *list = (struct list){argp_tree(argp), state, NULL, 0, NULL, false, false};
  size_t count = 1;
  for (int i = 0; i < list->tree.count; i++)
    for (const struct argp_option *option = list->tree.nodes[i].argp->options; option != NULL && !is_end(option);
         option++)
      count++;
  list->entries = calloc(count, sizeof *list->entries);
  if (list->entries == NULL)
    return false;
  for (int i = 0; i < list->tree.count; i++)
    add_entries(list, i);
  return true;
}

/* By insertion: few, and equal ones stay as they are. */
static void sort(struct list *list) {
  for (int i = 1; i < list->count; i++) {
    struct entry entry = list->entries[i];
    int at = i;
    for (; at > 0 && compare(list, &entry, &list->entries[at - 1]) < 0; at--)
      list->entries[at] = list->entries[at - 1];
    list->entries[at] = entry;
  }
}

/* ---- The long help ---- */

static void tell_header(struct page *page, struct list *list, int node, const char *given) {
  const char *text = filtered(list, node, HEADER, given);
  if (text != NULL && *text != 0) {
    if (list->last != NULL)
      put(page, '\n');
    indent(page, HEADERS_AT);
    page->margin = HEADERS_AT;
    fill(page, text);
    page->margin = 0;
    put(page, '\n');
    list->separates = true;
  }
  drop(text, given);
}

static bool is_below(const struct list *list, int cluster, int other) {
  while (cluster >= 0 && cluster != other)
    cluster = above(list, cluster);
  return cluster == other;
}

/* What stands before a name: a comma, or what divides an entry from the last one. */
static void begin_name(struct page *page, struct list *list, const struct entry *entry, size_t column, bool *first) {
  if (!*first) {
    put_text(page, ", ");
  } else {
    const struct entry *last = list->last;
    if (list->separates && last != NULL && last->group != entry->group)
      put(page, '\n');
    const char *header = entry->cluster < 0 ? NULL : list->tree.nodes[entry->cluster].child->header;
    if (header != NULL && *header != 0 &&
        (last == NULL || (last->cluster != entry->cluster && !is_below(list, last->cluster, entry->cluster))))
      tell_header(page, list, list->tree.nodes[entry->cluster].parent, header);
    *first = false;
  }
  indent(page, column);
}

static void put_argument(struct page *page, const struct argp_option *real, const char *required, const char *optional) {
  if (real->arg == NULL)
    return;
  bool is_optional = real->flags & OPTIONAL;
  put_text(page, is_optional ? optional : required);
  put_text(page, real->arg);
  if (is_optional)
    put(page, ']');
}

static void tell_entry(struct page *page, struct list *list, const struct entry *entry) {
  const struct argp_option *real = entry->real;
  bool first = true, other = real->flags & NO_OPTION, has_name = name_of(entry) != NULL;
  for (int i = 0; !other && i < entry->count; i++)
    if (is_letter_option(&real[i]) && is_shown(&real[i])) {
      begin_name(page, list, entry, LETTERS_AT, &first);
      put(page, '-');
      put(page, (char)real[i].key);
      if (!has_name)
        put_argument(page, real, " ", "[");
      else if (real->arg != NULL)
        list->suppresses = true;
    }
  for (int i = 0; i < entry->count; i++)
    if (real[i].name != NULL && is_shown(&real[i]) && (other || !is_shadowed(list, entry, &real[i]))) {
      begin_name(page, list, entry, other ? OTHERS_AT : NAMES_AT, &first);
      if (!other)
        put_text(page, "--");
      put_text(page, real[i].name);
      if (!other)
        put_argument(page, real, "=", "[=");
    }
  if (first) {
    if (real->key == 0 && real->name == NULL && real->doc != NULL) {
      tell_header(page, list, entry->node, real->doc);
      list->last = entry;
    }
    return;
  }
  const char *text = filtered(list, entry->node, real->key, real->doc);
  if (text != NULL && *text != 0) {
    page->margin = TEXTS_AT;
    if (page->column > TEXTS_AT + 3)
      put(page, '\n');
    else if (page->column >= TEXTS_AT)
      put_text(page, "   ");
    indent(page, TEXTS_AT);
    fill(page, text);
    page->margin = 0;
  }
  drop(text, real->doc);
  put(page, '\n');
  list->last = entry;
}

static void tell_options(struct page *page, struct list *list) {
  for (int i = 0; i < list->count; i++)
    tell_entry(page, list, &list->entries[i]);
  if (!list->suppresses || list->tree.count == 0)
    return;
  const char *given = "Mandatory or optional arguments to long options are also mandatory or optional for any "
                      "corresponding short options.";
  const char *text = filtered(list, 0, NOTE, given);
  if (text != NULL && *text != 0) {
    put(page, '\n');
    fill(page, text);
    put(page, '\n');
  }
  drop(text, given);
}

/* ---- Usage ---- */

static void put_item(struct page *page, const char *item) {
  size_t length = strlen(item);
  if (page->column + 1 + length >= WIDTH) {
    put(page, '\n');
    indent(page, USAGE_AT);
  } else {
    put(page, ' ');
  }
  put_text(page, item);
}

static void append(char *to, size_t size, const char *text) {
  size_t at = strlen(to);
  for (; *text != 0 && at + 1 < size; text++)
    to[at++] = *text;
  to[at] = 0;
}

static void put_option(struct page *page, const struct argp_option *real, const char *dashes, const char *name,
                       const char *required, const char *optional) {
  char item[300] = "[";
  append(item, sizeof item, dashes);
  append(item, sizeof item, name);
  if (real->arg != NULL) {
    append(item, sizeof item, real->flags & OPTIONAL ? optional : required);
    append(item, sizeof item, real->arg);
    if (real->flags & OPTIONAL)
      append(item, sizeof item, "]");
  }
  append(item, sizeof item, "]");
  put_item(page, item);
}

static void tell_usage_of_options(struct page *page, const struct list *list) {
  char letters[200] = "[-";
  for (int i = 0; i < list->count; i++)
    for (int name = 0; name < list->entries[i].count; name++) {
      const struct argp_option *real = list->entries[i].real, *option = &real[name];
      if (is_letter_option(option) && is_shown(option) && real->arg == NULL && !((real->flags | option->flags) & NO_USAGE))
        append(letters, sizeof letters, (char[]){(char)option->key, 0});
    }
  if (letters[2] != 0) {
    append(letters, sizeof letters, "]");
    put_item(page, letters);
  }
  for (int names = 0; names < 2; names++)
    for (int i = 0; i < list->count; i++)
      for (int name = 0; name < list->entries[i].count; name++) {
        const struct argp_option *real = list->entries[i].real, *option = &real[name];
        if ((real->flags | option->flags) & NO_USAGE || !is_shown(option))
          continue;
        if (names == 0 && is_letter_option(option) && real->arg != NULL)
          put_option(page, real, "-", (char[]){(char)option->key, 0}, " ", "[");
        else if (names == 1 && option->name != NULL)
          put_option(page, real, "--", option->name, "=", "[=");
      }
}

/* The line of a pattern's text, and where the next one begins; null behind the last. */
static const char *line_of(const char *text, size_t *length) {
  const char *end = strchr(text, '\n');
  *length = end == NULL ? strlen(text) : (size_t)(end - text);
  return end == NULL ? NULL : end + 1;
}

static void tell_usage(struct page *page, struct list *list, const char *name, unsigned flags) {
  /* The patterns of all parsers, those of the first ones changing last. */
  const char **at = calloc((size_t)list->tree.count + 1, sizeof *at);
  if (at == NULL)
    return;
  for (int i = 0; i < list->tree.count; i++)
    at[i] = list->tree.nodes[i].argp->args_doc;
  bool first = true, more = true;
  while (more) {
    put_text(page, first ? "Usage:" : "  or: ");
    put(page, ' ');
    put_text(page, name);
    if (flags & SHORT_USAGE || !first) {
      if (list->count > 0)
        put_item(page, "[OPTION...]");
    } else {
      tell_usage_of_options(page, list);
    }
    more = false;
    for (int i = 0; i < list->tree.count; i++) {
      if (at[i] == NULL)
        continue;
      size_t length;
      const char *next = line_of(at[i], &length);
      char line[400] = "";
      for (size_t j = 0; j < length && j + 1 < sizeof line; j++)
        line[j] = at[i][j], line[j + 1] = 0;
      const char *text = filtered(list, i, ARGUMENTS, line);
      if (text != NULL && *text != 0)
        put_item(page, text);
      drop(text, line);
      if (next != NULL && !more) {
        at[i] = next;
        more = true;
      } else if (!more) {
        at[i] = list->tree.nodes[i].argp->args_doc;
      }
    }
    put(page, '\n');
    first = false;
  }
  free(at);
}

/* ---- Documentation ---- */

/* The part of each parser's text before or behind its vertical tab; whether there was one. */
static bool tell_documentation(struct page *page, struct list *list, bool behind, bool any, bool blank_line) {
  for (int i = 0; i < list->tree.count; i++) {
    const char *doc = list->tree.nodes[i].argp->doc, *tab = doc == NULL ? NULL : strchr(doc, '\v');
    const char *part = behind ? (tab == NULL ? NULL : tab + 1) : doc;
    char *copy = NULL;
    if (!behind && tab != NULL && (copy = calloc((size_t)(tab - doc) + 1, 1)) != NULL) {
      for (const char *from = doc; from < tab; from++)
        copy[from - doc] = *from;
      part = copy;
    }
    const char *text = filtered(list, i, behind ? POST : PRE, part);
    if (text != NULL && *text != 0) {
      if (any || blank_line)
        put(page, '\n');
      any = true;
      fill(page, text);
      if (page->column > 0)
        put(page, '\n');
    }
    drop(text, part);
    free(copy);
    if (behind && list->tree.nodes[i].argp->help_filter != NULL) {
      const char *more = filtered(list, i, EXTRA, NULL);
      if (more != NULL && *more != 0) {
        if (any)
          put(page, '\n');
        any = true;
        put_text(page, more);
        if (page->column > 0)
          put(page, '\n');
      }
      drop(more, NULL);
    }
    blank_line = false;
  }
  return any;
}

void __symexec_argp_tell(const struct argp *argp, const struct argp_state *state, FILE *stream, unsigned flags,
                         const char *name) {
  struct page page = {stream, 0, 0};
  struct list list;
  if (stream == NULL || !make_list(&list, argp, state))
    return;
  bool any = false;
  sort(&list);
  if (flags & (USAGE | SHORT_USAGE)) {
    tell_usage(&page, &list, name, flags);
    any = true;
  }
  if (flags & BEFORE)
    any |= tell_documentation(&page, &list, false, false, false);
  if (flags & SEE) {
    put_text(&page, "Try `");
    put_text(&page, name);
    put_text(&page, " --help' or `");
    put_text(&page, name);
    put_text(&page, " --usage' for more information.\n");
    any = true;
  }
  if (flags & LONG && list.count > 0) {
    if (any)
      put(&page, '\n');
    tell_options(&page, &list);
    any = true;
  }
  if (flags & BEHIND)
    any |= tell_documentation(&page, &list, true, any, false);
  if (flags & BUGS && argp_program_bug_address != NULL) {
    if (any)
      put(&page, '\n');
    put_text(&page, "Report bugs to ");
    put_text(&page, argp_program_bug_address);
    put_text(&page, ".\n");
  }
  free(list.entries);
  free(list.tree.nodes);
}

void argp_help(const struct argp *argp, FILE *stream, unsigned flags, char *name) {
  __symexec_argp_tell(argp, NULL, stream, flags, name);
}
