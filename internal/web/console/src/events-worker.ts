// The worker that reads the stream of events for all pages of a browser.
import { stream } from "./site/stream";

stream().open();
