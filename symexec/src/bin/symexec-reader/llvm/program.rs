//! A module with its context: reading, linking, verifying; its functions and variables; the target's layout.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMStripModuleDebugInfo;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef, LLVMValueRef};
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMByteOrder, LLVMByteOrdering, LLVMGetModuleDataLayout,
    LLVMOffsetOfElement, LLVMPointerSize, LLVMSizeOfTypeInBits, LLVMStoreSizeOfType, LLVMTargetDataRef,
};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMPassBuilderOptionsSetLoopVectorization,
    LLVMPassBuilderOptionsSetSLPVectorization, LLVMRunPasses,
};
use symexec::base::system::System;
use symexec::capture::section::{self, Contents, Member};
use symexec::module::library;
use symexec::module::reader::Request;

use super::{Type, TypeKind, Value, owned};
use crate::runtime;

/// The list of functions that run at a program's end without being registered.
pub(crate) const DESTRUCTORS: &str = "llvm.global_dtors";

/// What goes on with an exception where a function has cleaned up behind it.
pub(crate) const RESUME: &str = "_Unwind_Resume";

/// The functions that tell, in C++, C and Rust, what a function does where an exception passes it. The engine does
/// without them.
const PERSONALITIES: [&str; 3] = ["__gxx_personality_v0", "__gcc_personality_v0", "rust_eh_personality"];

/// A module with all that it owns.
pub(crate) struct Program {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// Where LLVM's diagnostics arrive. Boxed, because LLVM keeps its address.
    diagnostics: Box<Diagnostics>,
    /// What the runtime defines and the program does not, by name.
    borrowed: BTreeSet<String>,
}

/// LLVM's diagnostics so far.
#[derive(Default)]
struct Diagnostics(Vec<String>);

/// Receives LLVM's diagnostics instead of its default handler, which ends the process on errors.
extern "C" fn collect(diagnostic: llvm_sys::prelude::LLVMDiagnosticInfoRef, list: *mut c_void) {
    // SAFETY: LLVM calls this with a live diagnostic; `list` is what `Program::read` boxed,
    // alive as long as the context, and nobody else touches it during a call into LLVM.
    unsafe {
        let text = owned(LLVMGetDiagInfoDescription(diagnostic));
        (*list.cast::<Diagnostics>()).0.push(text);
    }
}

impl Program {
    /// The program in LLVM's assembly language.
    pub(crate) fn text(&self) -> String {
        // SAFETY: the module is live; the text is given away.
        unsafe { owned(LLVMPrintModuleToString(self.module)) }
    }

    /// The program as bitcode.
    pub(crate) fn bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is live; the buffer is given away, and lends its bytes until it is disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.module);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Reads files of bitcode or of LLVM's assembly language and links them in this order: what users call
    /// each, and where it is. `wanted` are functions of the runtime that are needed although nothing there
    /// calls them. What is asked of the program itself is done before the runtime is linked.
    pub(crate) fn read(
        system: &dyn System,
        files: &[(&Path, &Path)],
        wanted: &[&str],
        request: &Request,
    ) -> Result<Self, String> {
        let [first, rest @ ..] = files else { return Err("no file to read".to_owned()) };
        let mut diagnostics = Box::<Diagnostics>::default();
        // SAFETY: the handler matches LLVM's signature; the vector's address is stable and outlives the
        // context, which `Drop` disposes of first.
        let context = unsafe {
            let context = LLVMContextCreate();
            let list: *mut Diagnostics = &raw mut *diagnostics;
            LLVMContextSetDiagnosticHandler(context, Some(collect), list.cast());
            context
        };
        let mut program = Self { context, module: ptr::null_mut(), diagnostics, borrowed: BTreeSet::new() };
        program.module = program.parse(system, *first)?;
        let mut archives = Vec::new();
        for file in rest {
            if let Some(members) = program.members(system, *file)? {
                archives.extend(members);
                continue;
            }
            let module = program.parse(system, *file)?;
            program.link(module).map_err(|what| format!("linking {}: {what}", file.0.display()))?;
        }
        program.link_members(archives)?;
        if request.strip {
            // SAFETY: the module is live, and no value of it is lent yet.
            unsafe { LLVMStripModuleDebugInfo(program.module) };
        }
        if request.optimize {
            // What is not well formed is nothing that LLVM's passes can be given.
            program.verify(first.0)?;
            program.optimize()?;
        }
        let own: BTreeSet<LLVMValueRef> = program.defined().map(|value| value.raw).collect();
        program.link_library(system)?;
        program.link_runtime(wanted)?;
        let borrowed = program.defined().filter(|value| !own.contains(&value.raw)).map(Value::name);
        program.borrowed = borrowed.filter(|name| !name.starts_with("llvm.")).collect();
        program.verify(first.0)?;
        let layout = program.layout();
        // SAFETY: the layout belongs to the live module.
        let (order, pointer) = unsafe { (LLVMByteOrder(layout), LLVMPointerSize(layout)) };
        if !matches!(order, LLVMByteOrdering::LLVMLittleEndian) || pointer != 8 {
            return Err(format!(
                "{}: made for a target that is not little-endian with 64-bit pointers; compile it for x86_64",
                first.0.display()
            ));
        }
        Ok(program)
    }

    /// Adds of the runtime what the program lacks, and what that uses. Where both define a name, the program's
    /// definition stays. Only what is added is read: the runtime is ten times as large as most programs.
    fn link_runtime(&mut self, wanted: &[&str]) -> Result<(), String> {
        let own: BTreeSet<String> = self.defined().map(Value::name).collect();
        let mut lacking = self.lacking();
        lacking.extend(wanted.iter().map(|name| (*name).to_owned()));
        if self.unwinds() {
            lacking.insert(RESUME.to_owned());
        }
        if own.contains(DESTRUCTORS) {
            lacking.insert(symexec::exec::FINISH.to_owned());
        }
        if lacking.is_empty() {
            return Ok(());
        }
        if runtime::WHOLE.is_empty() {
            return Ok(());
        }
        let module = self.parse_lazily(runtime::WHOLE).map_err(|what| format!("the C runtime: {what}"))?;
        let offered: Vec<Value<'_>> =
            values_of(module).filter(|value| !value.is_declaration() && value.is_visible()).collect();
        if !offered.iter().any(|value| lacking.contains(&value.name())) {
            // SAFETY: parsed above, and nothing of it is kept.
            unsafe { LLVMDisposeModule(module) };
            return Ok(());
        }
        // What stands for an intrinsic is named by nobody, and what ends a program is called by the engine.
        let declared = values_of(module).filter(|value| value.is_declaration());
        lacking.extend(declared.flat_map(|value| runtime::functions_for(&value.name())));
        lacking.insert(symexec::exec::FINISH.to_owned());
        for value in offered {
            if lacking.contains(&value.name()) {
                value.make_weak();
            } else {
                value.make_optional();
            }
        }
        self.link(module).map_err(|what| format!("linking the C runtime: {what}"))
    }

    /// Adds the parts of the C++ library that define what is lacking, as a linker takes them out of an archive.
    fn link_library(&mut self, system: &dyn System) -> Result<(), String> {
        let is_cxx = |name: &String| name.starts_with("_Z");
        if !self.lacking().iter().any(is_cxx) {
            return Ok(());
        }
        let Some(folder) = library::folder(system) else { return Ok(()) };
        let read = |path: &Path| {
            system.read_file(path).map_err(|error| format!("the C++ library: {}: {error}", path.display()))
        };
        let index = read(&folder.join(library::INDEX))?;
        let mut parts: Vec<Option<library::Part>> =
            library::parts(&String::from_utf8_lossy(&index)).into_iter().map(Some).collect();
        let mut offers = BTreeMap::new();
        for (place, part) in parts.iter().enumerate() {
            for name in part.iter().flat_map(|part| &part.defines) {
                offers.entry(name.clone()).or_insert(place);
            }
        }
        loop {
            let wanted: BTreeSet<usize> =
                self.lacking().iter().filter_map(|name| offers.get(name)).copied().collect();
            let taken: Vec<library::Part> =
                wanted.into_iter().filter_map(|place| parts.get_mut(place)?.take()).collect();
            if taken.is_empty() {
                return Ok(());
            }
            for part in taken {
                let module = self
                    .parse_bytes(&part.name, &read(&folder.join(&part.name))?)
                    .map_err(|what| format!("the C++ library: {}: {what}", part.name))?;
                for value in values_of(module).filter(|value| !value.is_declaration() && value.is_visible()) {
                    value.make_weak();
                }
                self.link(module).map_err(|what| format!("linking the C++ library: {what}"))?;
            }
        }
    }

    /// The modules of an archive's members; `None` if the file is no archive. Members that are no bitcode are
    /// errors, as such a file is.
    fn members(
        &mut self,
        system: &dyn System,
        (name, path): (&Path, &Path),
    ) -> Result<Option<Vec<LLVMModuleRef>>, String> {
        let place = name.display();
        let bytes = system.read_file(path).map_err(|error| format!("{place}: {error}"))?;
        let members = match section::contents(&bytes) {
            Ok(Contents::Archive(members)) => members,
            Ok(_) => return Ok(None),
            Err(what) => return Err(format!("{place}: {what}")),
        };
        let mut modules = Vec::new();
        for (number, member) in members.into_iter().enumerate() {
            let read;
            let bytes = match member {
                Member::Bytes(bytes) => bytes,
                Member::File(file) => {
                    let folder = path.parent().unwrap_or(path);
                    let file = folder.join(OsStr::from_bytes(file));
                    read = system.read_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                    &read
                }
            };
            let module = self.parse_bytes(&place.to_string(), bytes);
            modules.push(
                module
                    .map_err(|what| format!("{place}, member {}: no LLVM 19 bitcode: {what}", number + 1))?,
            );
        }
        Ok(Some(modules))
    }

    /// Links those of the members of archives that define what is lacking, as a linker takes them.
    fn link_members(&mut self, members: Vec<LLVMModuleRef>) -> Result<(), String> {
        let mut members: Vec<Option<LLVMModuleRef>> = members.into_iter().map(Some).collect();
        loop {
            let lacking = self.lacking();
            let defines = |module: LLVMModuleRef| {
                values_of(module).any(|value| {
                    !value.is_declaration() && value.is_visible() && lacking.contains(&value.name())
                })
            };
            let wanted = members.iter_mut().find(|member| member.is_some_and(defines));
            let Some(module) = wanted.and_then(Option::take) else { break };
            self.link(module).map_err(|what| format!("linking a member of an archive: {what}"))?;
        }
        for module in members.into_iter().flatten() {
            // SAFETY: parsed by `members`, and nothing of it is kept.
            unsafe { LLVMDisposeModule(module) };
        }
        Ok(())
    }

    fn link(&mut self, module: LLVMModuleRef) -> Result<(), String> {
        self.link_into(self.module, module)
    }

    fn link_into(&self, whole: LLVMModuleRef, module: LLVMModuleRef) -> Result<(), String> {
        // SAFETY: both modules live in this context; linking destroys the second one.
        let failed = unsafe { LLVMLinkModules2(whole, module) } != 0;
        if failed { Err(self.diagnostics.0.join("; ")) } else { Ok(()) }
    }

    /// What is defined here.
    fn defined(&self) -> impl Iterator<Item = Value<'_>> {
        self.functions().chain(self.globals()).filter(|value| !value.is_declaration())
    }

    /// The names of what is declared and neither defined here nor provided by the engine.
    fn lacking(&self) -> BTreeSet<String> {
        let declared = self.functions().chain(self.globals()).filter(|value| value.is_declaration());
        let names = declared.map(Value::name).flat_map(|name| match name.starts_with("llvm.") {
            true => runtime::functions_for(&name),
            false => vec![name],
        });
        names.filter(|name| !symexec::exec::provides(name)).collect()
    }

    /// Whether some function may have something to do where an exception passes it.
    pub(crate) fn unwinds(&self) -> bool {
        self.functions().any(|value| PERSONALITIES.contains(&value.name().as_str()))
    }

    /// Whether a function or variable is the program's, and not the runtime's.
    pub(crate) fn is_own(&self, value: Value<'_>) -> bool {
        !self.borrowed.contains(&value.name())
    }

    /// Whether the program is well formed; it is called by the name of a file.
    fn verify(&self, name: &Path) -> Result<(), String> {
        let mut message = ptr::null_mut();
        // SAFETY: the module is live and the message is taken over below.
        let broken = unsafe {
            LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &raw mut message)
        } != 0;
        // SAFETY: the verifier gave the message away.
        let message = unsafe { owned(message) };
        if broken {
            return Err(format!("{}: not well formed: {}", name.display(), message.trim()));
        }
        Ok(())
    }

    /// Optimizes what is there. Loops and neighbouring operations stay scalar: vectors cost the engine more than they
    /// save.
    fn optimize(&mut self) -> Result<(), String> {
        // SAFETY: the module is live, and no value of it is lent yet; the options are ours and disposed of here; the
        // message belongs to us, and getting it consumes the error.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
            LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
            let error = LLVMRunPasses(self.module, c"default<O2>".as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(format!("LLVM does not optimize the program: {text}"))
        }
    }

    fn parse(&mut self, system: &dyn System, (name, path): (&Path, &Path)) -> Result<LLVMModuleRef, String> {
        let place = name.display();
        let bytes = system.read_file(path).map_err(|error| format!("{place}: {error}"))?;
        // For LLVM this would be a program of nothing.
        if bytes.is_empty() {
            return Err(format!("{place}: the file is empty"));
        }
        self.parse_bytes(&place.to_string(), &bytes)
            .map_err(|what| format!("{place}: neither LLVM 19 bitcode nor its assembly language: {what}"))
    }

    fn parse_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<LLVMModuleRef, String> {
        let name = CString::new(name).map_err(|_| "its name has a zero byte".to_owned())?;
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is a copy that LLVM owns and terminates itself; parsing consumes it; both
        // out-parameters are ours.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast::<c_char>().cast_mut(),
                bytes.len(),
                name.as_ptr(),
            );
            LLVMParseIRInContext(self.context, buffer, &raw mut module, &raw mut message)
        } != 0;
        // SAFETY: the parser gave the message away.
        let message = unsafe { owned(message) };
        if failed || module.is_null() {
            return Err(message.lines().next().unwrap_or_default().to_owned());
        }
        Ok(module)
    }

    /// Reads names and types of bitcode; each function is read when it is linked.
    fn parse_lazily(&self, bytes: &'static [u8]) -> Result<LLVMModuleRef, String> {
        let mut module = ptr::null_mut();
        // SAFETY: the buffer lends bytes that live for ever, without a zero behind them, and belongs to the module; the
        // out-parameter is ours.
        let failed = unsafe {
            let start = bytes.as_ptr().cast::<c_char>();
            let buffer = LLVMCreateMemoryBufferWithMemoryRange(start, bytes.len(), c"runtime".as_ptr(), 0);
            LLVMGetBitcodeModuleInContext2(self.context, buffer, &raw mut module)
        } != 0;
        if failed || module.is_null() { Err(self.diagnostics.0.join("; ")) } else { Ok(module) }
    }

    fn layout(&self) -> LLVMTargetDataRef {
        // SAFETY: the module is live; the layout belongs to it.
        unsafe { LLVMGetModuleDataLayout(self.module) }
    }

    /// The functions, in the module's order.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: a live module, then live functions of it.
        self.chain(
            || unsafe { LLVMGetFirstFunction(self.module) },
            |value| unsafe { LLVMGetNextFunction(value) },
        )
    }

    /// The global variables, in the module's order.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: a live module, then live variables of it.
        self.chain(|| unsafe { LLVMGetFirstGlobal(self.module) }, |value| unsafe { LLVMGetNextGlobal(value) })
    }

    /// The functions that a resolver chooses, in the module's order.
    pub(crate) fn indirect_functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: a live module, then live functions of this sort in it.
        self.chain(
            || unsafe { LLVMGetFirstGlobalIFunc(self.module) },
            |value| unsafe { LLVMGetNextGlobalIFunc(value) },
        )
    }

    fn chain(
        &self,
        first: impl FnOnce() -> LLVMValueRef,
        next: impl Fn(LLVMValueRef) -> LLVMValueRef,
    ) -> impl Iterator<Item = Value<'_>> {
        std::iter::successors(Value::new(first()), move |value| Value::new(next(value.raw)))
    }

    /// Bytes from one element of a type to the next in an array.
    pub(crate) fn size(&self, ty: Type<'_>) -> u64 {
        // SAFETY: the layout is live; unsized types are excluded.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// Bytes that a store of a type writes.
    pub(crate) fn store_size(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as for `size`.
        if ty.is_sized() { unsafe { LLVMStoreSizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// Bits of a type.
    pub(crate) fn bits(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as for `size`.
        if ty.is_sized() { unsafe { LLVMSizeOfTypeInBits(self.layout(), ty.raw) } } else { 0 }
    }

    /// The alignment of a type in bytes.
    pub(crate) fn alignment(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as for `size`.
        if ty.is_sized() { u64::from(unsafe { LLVMABIAlignmentOfType(self.layout(), ty.raw) }) } else { 1 }
    }

    /// Where an element of a structure begins, in bytes.
    pub(crate) fn field_offset(&self, ty: Type<'_>, field: u32) -> u64 {
        if !matches!(ty.kind(), TypeKind::LLVMStructTypeKind) || !ty.is_sized() || field >= ty.count() {
            return 0;
        }
        // SAFETY: a sized structure that has this field.
        unsafe { LLVMOffsetOfElement(self.layout(), ty.raw, field) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: values borrow the program, so none is left. The module goes before its context, and
        // the list of diagnostics, a field, after both.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// The functions and variables of a module that is not linked yet.
fn values_of<'p>(module: LLVMModuleRef) -> impl Iterator<Item = Value<'p>> {
    // SAFETY: a live module, then live functions of it; the caller links or disposes of it later.
    let functions = std::iter::successors(Value::new(unsafe { LLVMGetFirstFunction(module) }), |value| {
        Value::new(unsafe { LLVMGetNextFunction(value.raw) })
    });
    // SAFETY: as for functions.
    let globals = std::iter::successors(Value::new(unsafe { LLVMGetFirstGlobal(module) }), |value| {
        Value::new(unsafe { LLVMGetNextGlobal(value.raw) })
    });
    functions.chain(globals)
}
