import "uplot/dist/uPlot.min.css";
import "../site/chart.css";

// Each chart is replaced when it comes near the view, so a page whose charts are not seen loads no more than this.
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    void import("../site/chart").then(({ drawChart }) => drawChart(target as HTMLElement));
  }
}, { rootMargin: "300px" });
for (const figure of document.querySelectorAll("figure[data-chart]")) near.observe(figure);
