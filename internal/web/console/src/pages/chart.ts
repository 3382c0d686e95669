import "uplot/dist/uPlot.min.css";
import "../site/chart.css";
import { drawCharts } from "../site/chart";

drawCharts();
