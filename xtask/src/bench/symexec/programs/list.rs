//! The paper's programs: where their sources are from, how they are built, and what is explored.
//!
//! Versions are the distribution's and not the paper's. Drivers and templates are our own, of the kinds that the
//! authors describe: known input, then a few unknown bytes that are looked up in what the known input filled. Sizes
//! are chosen so that the paths of each end, or else the number of instructions that ends them.

use super::fetch::Archive;

/// A project of the distribution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Project {
    /// The paper's name of it; also those of its driver and its template.
    pub(super) name: &'static str,
    pub(super) archive: Archive,
    /// Commands that run before anything is compiled, in the sources' folder; `CC` is `symexec cc`.
    pub(super) prepare: &'static [&'static [&'static str]],
    pub(super) build: Build,
}

/// How it becomes bitcode.
#[derive(Clone, Copy, Debug)]
pub(super) enum Build {
    /// `prepare` makes programs: their bitcode is taken out of them.
    Programs,
    /// Sources (`*` stands for every C file of a folder, names behind `!` are left out) are compiled together with
    /// our driver.
    Library {
        sources: &'static [&'static str],
        include: &'static [&'static str],
        options: &'static [&'static str],
    },
}

/// What is explored at one size of the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    /// Macros of the driver.
    pub(super) macros: &'static [&'static str],
    /// Unknown input: the name of a template, if there is one.
    pub(super) template: Option<&'static str>,
    /// The program's own arguments.
    pub(super) arguments: &'static [&'static str],
    /// After so many instructions the run ends, in thousands.
    pub(super) thousands: u64,
}

/// One program to be explored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) project: &'static Project,
    /// The program below the folder of the sources, for projects that make some.
    pub(super) program: &'static str,
    pub(super) quick: Amount,
    pub(super) hour: Amount,
}

const fn archive(package: &'static str, file: &'static str, digest: &'static str) -> Archive {
    Archive { package, release: "bookworm", file, digest }
}

const M4: Project = Project {
    name: "m4",
    archive: archive(
        "m4",
        "m4_1.4.19.orig.tar.xz",
        "63aede5c6d33b6d9b13511cd0be2cac046f2e70fd0a07aa9573a04a82783af96",
    ),
    prepare: &[
        &["./configure", "--disable-threads", "--with-included-regex", "--disable-nls"],
        &["make", "-C", "lib"],
        &["make", "-C", "src"],
    ],
    build: Build::Programs,
};

/// Its archive lacks `configure`, which the distribution's tools make; a line that they refuse is mended first.
/// Tables are as small as the sources' own macros can make them.
const MAKE: Project = Project {
    name: "make",
    archive: archive(
        "make-dfsg",
        "make-dfsg_4.3.orig.tar.gz",
        "be4c17542578824e745f83bcd2a9ba264206187247cb6a5f5df99b0a9d1f9047",
    ),
    prepare: &[
        &["sed", "-i", "s/po.Makefile.in Makefile/po\\/Makefile.in/", "configure.ac"],
        &["autoreconf", "-fi"],
        &[
            "./configure",
            "--disable-nls",
            "--disable-load",
            "--without-guile",
            "CFLAGS=-g -O2 -DVARIABLE_BUCKETS=23 -DDIRECTORY_BUCKETS=23 -DDIRFILE_BUCKETS=23",
        ],
        &["make", "-C", "lib"],
        &["make", "make"],
    ],
    build: Build::Programs,
};

const SQLITE: Project = Project {
    name: "sqlite",
    archive: archive(
        "sqlite3",
        "sqlite3_3.40.1.orig.tar.xz",
        "aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655",
    ),
    prepare: &[&["./configure", "--disable-tcl"], &["make", "sqlite3.c"]],
    build: Build::Library {
        sources: &["sqlite3.c"],
        include: &["."],
        options: &[
            "-DSQLITE_THREADSAFE=0",
            "-DSQLITE_OMIT_LOAD_EXTENSION",
            "-DSQLITE_DEFAULT_MEMSTATUS=0",
            "-DSQLITE_OMIT_WAL",
        ],
    },
};

const APR: Project = Project {
    name: "apr",
    archive: archive(
        "apr",
        "apr_1.7.2.orig.tar.bz2",
        "75e77cc86776c030c0a5c408dfbd0bf2a0b75eed5351e52d5439fa1e5509a43e",
    ),
    prepare: &[&["./configure", "--disable-shared", "--disable-threads", "--disable-dso"]],
    build: Build::Library {
        sources: &[
            "tables/apr_hash.c",
            "tables/apr_tables.c",
            "memory/unix/apr_pools.c",
            "strings/apr_strings.c",
            "strings/apr_snprintf.c",
            "strings/apr_cpystrn.c",
            "atomic/unix/builtins.c",
        ],
        include: &["include", "include/arch/unix"],
        options: &["-D_GNU_SOURCE", "-DHAVE_CONFIG_H"],
    },
};

const LIBXML2: Project = Project {
    name: "libxml2",
    archive: archive(
        "libxml2",
        "libxml2_2.9.14+dfsg.orig.tar.xz",
        "4fe913dec8b1ab89d13b489b419a8203176ea39e931eaa0d25b17eafb9c279e9",
    ),
    prepare: &[&[
        "./configure",
        "--disable-shared",
        "--without-python",
        "--without-zlib",
        "--without-lzma",
        "--without-iconv",
        "--without-threads",
        "--without-http",
        "--without-ftp",
        "--without-modules",
    ]],
    build: Build::Library {
        sources: &[
            "*",
            "!run",
            "!test",
            "!xmllint.c",
            "!xmlcatalog.c",
            "!trio",
            "!nano",
            "!rngparser",
            "!DOCB",
        ],
        include: &[".", "include"],
        options: &["-DHAVE_CONFIG_H"],
    },
};

const EXPAT: Project = Project {
    name: "expat",
    archive: archive(
        "expat",
        "expat_2.5.0.orig.tar.gz",
        "ab00ee05c7067fd10a35c5d2a4922ebba746ddd50ff83b79c828da17bbdf1757",
    ),
    prepare: &[],
    build: Build::Library {
        sources: &["expat/lib/xmlparse.c", "expat/lib/xmlrole.c", "expat/lib/xmltok.c"],
        include: &["expat/lib"],
        options: &[
            "-DXML_POOR_ENTROPY",
            "-DXML_NS",
            "-DXML_DTD",
            "-DXML_CONTEXT_BYTES=1024",
            "-DHAVE_MEMMOVE",
            "-DBYTEORDER=1234",
        ],
    },
};

const BASH: Project = Project {
    name: "bash",
    archive: archive(
        "bash",
        "bash_5.2.15.orig.tar.gz",
        "7a315bc0e9d90713159e4390ec1096a41e4f33cd8cc3d1a749a8e5ad56600f51",
    ),
    prepare: &[
        &["./configure", "--enable-minimal-config", "--without-bash-malloc", "--disable-nls"],
        &["make", "bash"],
    ],
    build: Build::Programs,
};

const JSON_C: Project = Project {
    name: "json-c",
    archive: archive(
        "json-c",
        "json-c_0.16.orig.tar.gz",
        "3ecaeedffd99a60b1262819f9e60d7d983844073abc74e495cb822b251904185",
    ),
    prepare: &[],
    build: Build::Library {
        sources: &[
            "json_object.c",
            "linkhash.c",
            "arraylist.c",
            "printbuf.c",
            "json_util.c",
            "debug.c",
            "strerror_override.c",
        ],
        include: &["."],
        // With the last one the hash reads no byte behind a key, which would be an error here.
        options: &["-D_GNU_SOURCE", "-DVALGRIND"],
    },
};

/// The release before has the version 5.3.0, which its mirrors may lack.
const LIBOSIP: Project = Project {
    name: "libosip",
    archive: Archive {
        package: "libosip2",
        release: "trixie",
        file: "libosip2_5.3.1.orig.tar.gz",
        digest: "fe82fe841608266ac15a5c1118216da00c554d5006e2875a8ac3752b1e6adc79",
    },
    prepare: &[],
    build: Build::Library {
        sources: &["src/osipparser2/*"],
        include: &["include"],
        options: &[
            "-DHAVE_FCNTL_H",
            "-DHAVE_CTYPE_H",
            "-DHAVE_STDARG_H",
            "-DHAVE_SYS_TYPES_H",
            "-DHAVE_UNISTD_H",
        ],
    },
};

const LIBYAML: Project = Project {
    name: "libyaml",
    archive: archive(
        "libyaml",
        "libyaml_0.2.5.orig.tar.gz",
        "fa240dbf262be053f3898006d502d514936c818e422afdcf33921c63bed9bf2e",
    ),
    prepare: &[],
    build: Build::Library {
        sources: &["src/api.c", "src/reader.c", "src/scanner.c", "src/parser.c"],
        include: &["include"],
        options: &[
            "-DYAML_VERSION_STRING=\"0.2.5\"",
            "-DYAML_VERSION_MAJOR=0",
            "-DYAML_VERSION_MINOR=2",
            "-DYAML_VERSION_PATCH=5",
        ],
    },
};

const COREUTILS: Project = Project {
    name: "coreutils",
    archive: archive(
        "coreutils",
        "coreutils_9.1.orig.tar.xz",
        "61a1f410d78ba7e7f37a5a4f50e6d1320aca33375484a3255eddf17a38580423",
    ),
    prepare: &[
        &[
            "./configure",
            "--disable-nls",
            "--disable-acl",
            "--disable-xattr",
            "--disable-libcap",
            "--with-openssl=no",
            "--without-libgmp",
        ],
        // Headers that only `make all` makes before everything else.
        &["sh", "-c", "printf 'built: $(BUILT_SOURCES)\\n' | make -f Makefile -f - built"],
        &[
            "make",
            "-j2",
            "src/base32",
            "src/cat",
            "src/numfmt",
            "src/stdbuf",
            "src/timeout",
            "src/factor",
            "src/hostid",
            "src/nice",
            "src/stty",
            "src/tr",
        ],
    ],
    build: Build::Programs,
};

/// What a driver explores.
const fn driven(macros: &'static [&'static str], thousands: u64) -> Amount {
    Amount { macros, template: None, arguments: &[], thousands }
}

/// What a whole program explores.
const fn fed(template: &'static str, arguments: &'static [&'static str], thousands: u64) -> Amount {
    Amount { macros: &[], template: Some(template), arguments, thousands }
}

/// The programs of Tables II to V, in the paper's order.
pub(super) const DEPENDENT: [Subject; 8] = [
    Subject {
        name: "m4",
        project: &M4,
        program: "src/m4",
        quick: fed("m4.template", &["-H37", "-G", "-", "--sym-stdin", "32"], 4_000),
        hour: fed("m4-hour.template", &["-H37", "-G", "-", "--sym-stdin", "34"], 10_000),
    },
    Subject {
        name: "make",
        project: &MAKE,
        program: "make",
        quick: fed("make.template", &["-r", "-n", "-R", "-f", "A", "--sym-files", "1", "31"], 5_000),
        hour: fed("make.template", &["-r", "-n", "-R", "-f", "A", "--sym-files", "1", "31"], 15_000),
    },
    Subject {
        name: "sqlite",
        project: &SQLITE,
        program: "",
        quick: driven(&["KNOWN=15", "UNKNOWN=1"], 3_420),
        hour: driven(&["KNOWN=15", "UNKNOWN=2"], 3_618),
    },
    Subject {
        name: "apr",
        project: &APR,
        program: "",
        quick: driven(&["KEYS=15", "LOOKUPS=2"], 1_000),
        hour: driven(&["KEYS=15", "LOOKUPS=5"], 1_000),
    },
    Subject {
        name: "libxml2",
        project: &LIBXML2,
        program: "",
        quick: driven(&["LEN=1", "ADDRESS=1"], 50),
        hour: driven(&["LEN=1", "ADDRESS=1"], 70),
    },
    Subject {
        name: "expat",
        project: &EXPAT,
        program: "",
        // Of six bytes no run comes near an end: questions about pairs of names take a tenth of a second each.
        quick: driven(&["LEN=4"], 1_000),
        hour: driven(&["LEN=4"], 1_000),
    },
    Subject {
        name: "bash",
        project: &BASH,
        program: "bash",
        quick: fed("bash.template", &["A", "--sym-files", "1", "14"], 1_500),
        hour: fed("bash.template", &["A", "--sym-files", "1", "14"], 12_000),
    },
    Subject {
        name: "json-c",
        project: &JSON_C,
        program: "",
        quick: driven(&["KEYS=3"], 2_000),
        hour: driven(&["KEYS=4"], 20_000),
    },
];

/// The utilities' input, with less than the paper's: unknown arguments, a file, and standard input.
const INPUT: &[&str] = &["--sym-args", "0", "1", "3", "--sym-files", "1", "3", "--sym-stdin", "3"];

const fn utility(name: &'static str, program: &'static str) -> Subject {
    let quick = Amount { macros: &[], template: None, arguments: INPUT, thousands: 300 };
    Subject { name, project: &COREUTILS, program, quick, hour: Amount { thousands: 1_500, ..quick } }
}

/// The programs of section VI-D.
pub(super) const INDEPENDENT: [Subject; 12] = [
    Subject {
        name: "libosip",
        project: &LIBOSIP,
        program: "",
        quick: driven(&["LEN=6"], 500),
        hour: driven(&["LEN=20"], 5_000),
    },
    Subject {
        name: "libyaml",
        project: &LIBYAML,
        program: "",
        quick: driven(&["LEN=3"], 300),
        hour: driven(&["LEN=10"], 3_000),
    },
    utility("base32", "src/base32"),
    utility("cat", "src/cat"),
    utility("numfmt", "src/numfmt"),
    utility("stdbuf", "src/stdbuf"),
    utility("timeout", "src/timeout"),
    utility("factor", "src/factor"),
    utility("hostid", "src/hostid"),
    utility("nice", "src/nice"),
    utility("stty", "src/stty"),
    utility("tr", "src/tr"),
];
