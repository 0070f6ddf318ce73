/* Upload form: accept a file dropped anywhere on it, and show the file's size before it is sent. */
import { botName, fileSize } from "./text.js";

const form = document.querySelector("form[data-upload]");
const zone = form.querySelector("[data-dropzone]");
const picker = zone.querySelector("input[type=file]");
const chosen = form.querySelector("[data-chosen]");
const limit = Number(form.dataset.limit);
const name = form.elements.name;

function show() {
  const file = picker.files[0];
  const large = file && file.size > limit;
  chosen.className = large ? "error" : "help";
  chosen.textContent = !file ? "" : large
    ? `${file.name} is too large: ${fileSize(file.size)}; the limit is ${fileSize(limit)}.`
    : `Ready to upload: ${file.name}, ${fileSize(file.size)}.`;
  picker.setAttribute("aria-invalid", String(Boolean(large)));
  if (file && name instanceof HTMLInputElement && !name.value) name.value = botName(file.name);
}

const carriesFile = (event) => event.dataTransfer?.types.includes("Files");

function showDropzone(event) {
  if (!carriesFile(event)) return;
  event.preventDefault();
  zone.classList.add("over");
}

for (const kind of ["dragover", "dragenter"]) form.addEventListener(kind, showDropzone);
form.addEventListener("dragleave", (event) => { if (!form.contains(event.relatedTarget)) zone.classList.remove("over"); });
form.addEventListener("drop", (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  zone.classList.remove("over");
  picker.files = event.dataTransfer.files;
  show();
});
zone.addEventListener("click", (event) => { if (event.target !== picker) picker.click(); });
picker.addEventListener("change", show);
addEventListener("pageshow", show);
