// Offers pictures as PNG too: chats do not show SVG.
import { save } from "../save";

/** offerPNG adds a link beside each link to a picture with data-png, the name of the file. */
export function offerPNG() {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-png]")) {
    const png = link.cloneNode() as HTMLAnchorElement;
    png.textContent = "PNG";
    png.addEventListener("click", async (event) => {
      event.preventDefault();
      const picture = new Image();
      picture.src = link.href;
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [2 * picture.naturalWidth, 2 * picture.naturalHeight];
      canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((file) => file && save(`${link.dataset.png}.png`, file));
    });
    link.after(" ", png);
  }
}
