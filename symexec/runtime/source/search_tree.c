/* Searching in trees: tsearch and its relatives. The trees are not balanced, so what twalk tells of depths and of
 * leaves is of another tree than glibc's; the order is the same. */
#include "runtime.h"

struct node {
  const void *key; /* in front: what tsearch gives is a pointer to it */
  struct node *left, *right, *parent;
};

typedef int order(const void *, const void *);
enum visit { PREORDER, POSTORDER, ENDORDER, LEAF };

/* The link to the node with a key, or the empty one where it belongs. */
static struct node **find(const void *key, struct node **link, order *compare, struct node **parent) {
  *parent = NULL;
  while (*link != NULL) {
    int way = compare(key, (*link)->key);
    if (way == 0)
      break;
    *parent = *link;
    link = way < 0 ? &(*link)->left : &(*link)->right;
  }
  return link;
}

void *tfind(const void *key, struct node *const *root, order *compare) {
  struct node *parent;
  return root == NULL ? NULL : *find(key, (struct node **)root, compare, &parent);
}

void *tsearch(const void *key, struct node **root, order *compare) {
  struct node *parent;
  if (root == NULL)
    return NULL;
  struct node **link = find(key, root, compare, &parent);
  if (*link == NULL && (*link = malloc(sizeof **link)) != NULL)
    **link = (struct node){.key = key, .parent = parent};
  return *link;
}

/* Gives the node above the one that is gone; something that is not null for the root, null if there was none. */
void *tdelete(const void *key, struct node **root, order *compare) {
  struct node *parent;
  if (root == NULL)
    return NULL;
  struct node **link = find(key, root, compare, &parent), *gone = *link;
  if (gone == NULL)
    return NULL;
  if (gone->left != NULL && gone->right != NULL) {
    /* The next key takes its place, so that there is one side at most. */
    struct node *next = gone->right;
    while (next->left != NULL)
      next = next->left;
    gone->key = next->key;
    parent = next->parent;
    link = parent == gone ? &parent->right : &parent->left;
    gone = next;
  }
  struct node *child = gone->left != NULL ? gone->left : gone->right;
  if (child != NULL)
    child->parent = gone->parent;
  *link = child;
  free(gone);
  return parent != NULL ? (void *)parent : (void *)root;
}

typedef void visitor(const void *node, enum visit when, void *closure);
void twalk_r(const struct node *root, visitor *visit, void *closure);

void twalk_r(const struct node *root, visitor *visit, void *closure) {
  const struct node *node = root, *from = root == NULL ? NULL : root->parent;
  const struct node *above = from;
  while (node != NULL && node != above) {
    const struct node *next = node->parent;
    bool leaf = node->left == NULL && node->right == NULL;
    if (from == node->parent) {
      visit(node, leaf ? LEAF : PREORDER, closure);
      if (node->left != NULL)
        next = node->left;
      else if (!leaf) {
        visit(node, POSTORDER, closure);
        next = node->right;
      }
    } else if (from == node->left && node->right != NULL) {
      visit(node, POSTORDER, closure);
      next = node->right;
    } else {
      if (from == node->left)
        visit(node, POSTORDER, closure);
      visit(node, ENDORDER, closure);
    }
    from = node;
    node = next;
  }
}

struct plain {
  void (*visit)(const void *, enum visit, int);
  const struct node *root;
};
static void visit_plainly(const void *at, enum visit when, void *closure) {
  const struct plain *plain = closure;
  int depth = 0;
  for (const struct node *node = at; node != plain->root; node = node->parent)
    depth++;
  plain->visit(at, when, depth);
}
void twalk(const struct node *root, void (*visit)(const void *, enum visit, int)) {
  struct plain plain = {visit, root};
  twalk_r(root, visit_plainly, &plain);
}

void tdestroy(struct node *root, void (*destroy)(void *)) {
  struct node *node = root;
  while (node != NULL) {
    if (node->left != NULL)
      node = node->left;
    else if (node->right != NULL)
      node = node->right;
    else {
      struct node *parent = node == root ? NULL : node->parent;
      if (parent != NULL && parent->left == node)
        parent->left = NULL;
      else if (parent != NULL)
        parent->right = NULL;
      destroy((void *)node->key);
      free(node);
      node = parent;
    }
  }
}
