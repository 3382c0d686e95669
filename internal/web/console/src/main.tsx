import "./workers";
import { createRoot } from "react-dom/client";
import { Console } from "./console";

const place = document.getElementById("console");
if (place) createRoot(place).render(<Console />);
