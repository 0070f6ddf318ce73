/* The upload form: a file dropped anywhere on it lands in its file field, and its size is told before it is sent. */
const form = document.querySelector("form[data-upload]");
const zone = form.querySelector("[data-dropzone]");
const picker = zone.querySelector("input[type=file]");
const chosen = form.querySelector("[data-chosen]");
const limit = Number(form.dataset.limit);
const name = form.elements.name;

const size = (bytes) => bytes < 1024 ? `${bytes} bytes` : bytes < 2 ** 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function show() {
  const file = picker.files[0];
  const large = file && file.size > limit;
  chosen.className = large ? "error" : "help";
  chosen.textContent = !file ? "" : large
    ? `${file.name} has ${size(file.size)}; a bot may have ${size(limit)}.`
    : `${file.name}, ${size(file.size)}, is what will be uploaded.`;
  picker.setAttribute("aria-invalid", String(Boolean(large)));
  if (file && name instanceof HTMLInputElement && !name.value) name.value = file.name.replace(/\.(py|zip)$/i, "").replace(/[^\w.-]+/g, "-").slice(0, 32);
}

const carriesFile = (event) => event.dataTransfer?.types.includes("Files");

for (const kind of ["dragover", "dragenter"]) form.addEventListener(kind, (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  zone.classList.add("over");
});
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
