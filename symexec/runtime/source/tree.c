/* The tree of files: what is in which folder under which name, and where paths lead.
 *
 * The root has /dev, /tmp and the folder that the program is in, /work, with the files that it was started
 * with. So a name that is not known costs a question for each of these files, and one about a slash only
 * where a file matches or something is made.
 */
#include "tree.h"

size_t strspn(const char *text, const char *set);

enum { EXDEV = 18, ENAMETOOLONG = 36, ELOOP = 40, LONGEST_NAME = 255, MOST_LINKS = 40 };

#define DEVICE(number_, ...) {.number = number_, .mode = A_DEVICE | 0666, .links = 1, __VA_ARGS__}
#define TREE_FOLDER(number_, names_) \
  {.number = number_, .mode = A_FOLDER | 0755, .links = 1, .size = 4096, .names = names_, .parent = &tree_root}

/* The devices, as file.c knows them by what `size` says. */
static struct file devices[] = {DEVICE(3, .size = 0), DEVICE(4, .size = 1), DEVICE(5, .size = 2),
                                DEVICE(6, .size = 3), DEVICE(7, .size = 4), DEVICE(8, .size = 5)};
static struct name device_names[] = {
    {"null", &devices[0], &device_names[1]},   {"zero", &devices[1], &device_names[2]},
    {"full", &devices[2], &device_names[3]},   {"stdin", &devices[3], &device_names[4]},
    {"stdout", &devices[4], &device_names[5]}, {"stderr", &devices[5], NULL},
};
static struct file of_devices = TREE_FOLDER(9, &device_names[0]);
static struct file of_all = {
    .number = 10, .mode = A_FOLDER | 01777, .links = 1, .size = 4096, .parent = &tree_root};
static struct file of_program = TREE_FOLDER(11, NULL);
static struct name folder_names[] = {
    {"dev", &of_devices, &folder_names[1]}, {"tmp", &of_all, &folder_names[2]}, {"work", &of_program, NULL}};

struct file tree_root = TREE_FOLDER(2, &folder_names[0]);
struct file *tree_current = &of_program;

struct file *tree_new(uint32_t mode, size_t size) {
  struct file *file = malloc(sizeof *file);
  unsigned char *bytes = malloc(size == 0 ? 1 : size);
  if (file == NULL || bytes == NULL)
    return NULL;
  memset(bytes, 0, size == 0 ? 1 : size);
  static uint64_t last_number = 100;
  *file = (struct file){.bytes = bytes, .size = size, .room = size, .number = ++last_number, .mode = mode};
  return file;
}

/* What leads to the name with which a path begins, and what is behind it there; null if the folder has none. */
static struct name **find(struct file *folder, const char *path, const char **rest) {
  for (struct name **place = &folder->names; *place != NULL; place = &(*place)->next) {
    const char *text = (*place)->text, *behind = path;
    while (*text != 0 && *text == *behind) {
      text++;
      behind++;
    }
    if (*text == 0 && (*behind == 0 || *behind == '/')) {
      *rest = behind;
      return place;
    }
  }
  return NULL;
}

/* The text of a link with what was behind its name; null if there is no memory. */
static const char *splice(const struct file *link, const char *rest) {
  size_t length = strlen(rest);
  char *path = malloc(link->size + length + 1);
  if (path != NULL) {
    memcpy(path, link->bytes, link->size);
    memcpy(path + link->size, rest, length + 1);
  }
  return path;
}

static bool is_slashes(const char *text) { return text[strspn(text, "/")] == 0; }

int tree_walk(struct file *from, const char *path, enum purpose purpose, struct place *to) {
  struct file *here = from;
  bool follow = purpose == FOLLOW || purpose == FOLLOW_TO_MAKE, judges = purpose == FOLLOW || purpose == ITSELF;
  unsigned links = 0;
  if (*path == 0)
    return ENOENT;
  *to = (struct place){.file = NULL};
  for (;;) {
    if (*path == '/' && to->file == NULL) {
      here = &tree_root;
      to->file = here;
    }
    while (*path == '/')
      path++;
    if (*path == 0)
      return 0;
    if (!is_folder(here))
      return ENOTDIR;
    const char *rest;
    struct name **name = find(here, path, &rest);
    *to = (struct place){.folder = here, .name = name};
    if (name != NULL)
      to->file = (*name)->file;
    else if (path[0] == '.' && (path[1] == 0 || path[1] == '/')) {
      rest = path + 1;
      *to = (struct place){.file = here, .dots = "."};
    } else if (path[0] == '.' && path[1] == '.' && (path[2] == 0 || path[2] == '/')) {
      rest = path + 2;
      *to = (struct place){.file = here->parent, .dots = ".."};
    } else {
      to->last = path;
      return 0;
    }
    if (is_link(to->file) && (*rest == 0 ? follow : judges || !is_slashes(rest))) {
      if (++links > MOST_LINKS)
        return ELOOP;
      path = splice(to->file, rest);
      if (path == NULL)
        return ENOMEM;
      to->file = NULL;
      continue;
    }
    if (*rest == 0)
      return 0;
    to->slash = true;
    if (!is_folder(to->file))
      return !judges && is_slashes(rest) ? 0 : ENOTDIR;
    here = to->file;
    path = rest;
  }
}

/* The length of the name with which a text begins; looks for slashes without a fork for each character. */
static size_t name_length(const char *text) {
  size_t length = strlen(text);
  unsigned slashes = 0;
  for (size_t i = 0; i < length; i++)
    slashes |= text[i] == '/';
  if (slashes != 0)
    for (length = 0; text[length] != '/';)
      length++;
  return length;
}

bool tree_goes_on(const struct place *place) {
  return place->file == NULL && !is_slashes(place->last + name_length(place->last));
}

int tree_enter(const struct place *place, struct file *file) {
  size_t length = name_length(place->last);
  if (!is_slashes(place->last + length))
    return ENOENT;
  if (place->last[length] != 0 && !is_folder(file))
    return is_ordinary(file) ? EISDIR : ENOENT;
  if (length > LONGEST_NAME)
    return ENAMETOOLONG;
  /* A folder that was removed while somebody was in it. */
  if (place->folder->links == 0)
    return ENOENT;
  char *text = malloc(length + 1);
  struct name *name = malloc(sizeof *name);
  if (text == NULL || name == NULL)
    return ENOMEM;
  memcpy(text, place->last, length);
  text[length] = 0;
  *name = (struct name){text, file, place->folder->names};
  place->folder->names = name;
  file->links++;
  if (is_folder(file))
    file->parent = place->folder;
  return 0;
}

void tree_leave(const struct place *place) {
  (*place->name)->file->links--;
  *place->name = (*place->name)->next;
}

char *tree_path(struct file *folder) {
  size_t length = 0;
  for (struct file *here = folder; here != &tree_root; here = here->parent) {
    struct name *name = here->parent->names;
    while (name != NULL && name->file != here)
      name = name->next;
    if (here->links == 0 || name == NULL) {
      errno = ENOENT;
      return NULL;
    }
    length += 1 + strlen(name->text);
  }
  char *path = malloc(length == 0 ? 2 : length + 1);
  if (path == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  path[0] = '/';
  path[length == 0 ? 1 : length] = 0;
  for (struct file *here = folder; here != &tree_root; here = here->parent) {
    struct name *name = here->parent->names;
    while (name->file != here)
      name = name->next;
    size_t size = strlen(name->text);
    length -= size + 1;
    path[length] = '/';
    memcpy(path + length + 1, name->text, size);
  }
  return path;
}
