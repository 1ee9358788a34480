//! Writes the JavaScript around the WebAssembly module: `inbetween-web-bind MODULE.wasm FOLDER`.

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        return Err("expected a module and a folder".into());
    };
    Bindgen::new()
        .input_path(module)
        .out_name("inbetween")
        .web(true)?
        .omit_default_module_path(false)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
