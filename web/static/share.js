/* Keep the link and the embed code at the position that the replay shows. */
const [link, frame] = ["share-link", "share-frame"].map((id) => document.getElementById(id));
document.addEventListener("replay:step", ({ detail }) => {
  link.value = detail.link;
  frame.value = frame.value.replace(/src="[^"]*"/, `src="${detail.link.replace("?", "/embed?").replaceAll("&", "&amp;")}"`);
});
