/* What a program can ask about its processor (`__builtin_cpu_supports`, functions with versions for several
 * processors): this one has what every x86_64 has, and nothing beyond. So of several versions of a function
 * the one for all processors runs.
 */

struct processor {
  unsigned vendor, type, subtype, features[1];
};

struct processor __cpu_model;
unsigned __cpu_features2[3];

int __cpu_indicator_init(void) { return 0; }
