"use strict";
// Sortable tables: the heading of a column is a button, so mouse and keyboard do the same. Absent values stay last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  table.querySelectorAll("th").forEach((heading, column) => {
    const byNumber = heading.classList.contains("number");
    const key = (row) => ((byNumber && row.cells[column].dataset.value) || row.cells[column].textContent);
    const absent = (value) => value === "" || value === "\u2013";
    heading.querySelector("button").addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const first = byNumber ? "descending" : "ascending";
      const other = byNumber ? "ascending" : "descending";
      const order = before === first ? other : first;
      const sign = order === "ascending" ? 1 : -1;
      table.querySelectorAll("th").forEach((each) => each.setAttribute("aria-sort", "none"));
      heading.setAttribute("aria-sort", order);
      const rows = Array.from(body.rows, (row) => ({ row, value: key(row) }));
      rows.sort((a, b) => {
        if (absent(a.value) || absent(b.value)) return absent(a.value) - absent(b.value);
        return sign * (byNumber ? a.value - b.value : words.compare(a.value, b.value));
      });
      body.append(...rows.map((each) => each.row));
    });
  });
}
// The contents mark the question that is being read.
const links = new Map(
  Array.from(document.querySelectorAll(".contents a"), (link) => [link.getAttribute("href").slice(1), link])
);
if (links.size && "IntersectionObserver" in window) {
  const mark = (id) => {
    for (const [name, link] of links) {
      if (name === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const strip = document.querySelector(".contents");
    const link = links.get(id);
    if (strip.scrollWidth > strip.clientWidth) strip.scrollLeft = link.offsetLeft - 16;
  };
  const watch = new IntersectionObserver(
    (seen) => seen.filter((each) => each.isIntersecting).forEach((each) => mark(each.target.id)),
    { rootMargin: "-15% 0px -75% 0px" }
  );
  document.querySelectorAll("main > section").forEach((section) => watch.observe(section));
}
// A box that is wider than the screen says so: a fade at its right edge until its end is reached, and a line below.
const boxes = document.querySelectorAll(".scroller > .box");
const look = (box) => {
  const hidden = box.scrollWidth - box.clientWidth;
  box.parentElement.classList.toggle("wide", hidden > 4);
  box.parentElement.classList.toggle("more", hidden - box.scrollLeft > 4);
};
const sizes = "ResizeObserver" in window ? new ResizeObserver((seen) => seen.forEach((each) => look(each.target))) : null;
boxes.forEach((box) => {
  look(box);
  box.addEventListener("scroll", () => look(box), { passive: true });
  if (sizes) sizes.observe(box);
});
// A link to a folded question opens it.
const unfold = () => {
  const section = location.hash && document.getElementById(location.hash.slice(1));
  const fold = section && section.querySelector(":scope > .question");
  if (fold) fold.open = true;
};
addEventListener("hashchange", unfold);
unfold();
// A printed page shows its tables, except long ones, which would fill pages: their rows are in the CSV.
const longest = 40;
const opened = [];
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details:not([open])")) {
    if (!each.classList.contains("fold") && each.querySelectorAll("tbody tr").length > longest) continue;
    each.open = true;
    opened.push(each);
  }
});
addEventListener("afterprint", () => opened.splice(0).forEach((each) => (each.open = false)));
// A PNG of a chart is made when it is asked for: its drawing with the letters that all charts share, on a white canvas.
const density = 3;
for (const button of document.querySelectorAll("button.png")) {
  button.addEventListener("click", () => {
    const svg = button.closest("figure").querySelector(".scroller svg").cloneNode(true);
    const { width, height } = svg.viewBox.baseVal;
    svg.setAttribute("width", density * width);
    svg.setAttribute("height", density * height);
    const letters = document.querySelector("svg.letters");
    if (letters) svg.prepend(...letters.cloneNode(true).children);
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [density * width, density * height].map(Math.round);
      const paint = canvas.getContext("2d");
      paint.fillStyle = "white";
      paint.fillRect(0, 0, canvas.width, canvas.height);
      paint.drawImage(image, 0, 0);
      const link = document.createElement("a");
      link.href = canvas.toDataURL("image/png");
      link.download = button.dataset.name;
      link.click();
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  });
}
