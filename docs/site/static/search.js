// Search results quote a page's article, without the menus of the theme around it.
const htmlToText = Search.htmlToText;
Search.htmlToText = (html, anchor) => {
  const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
  return htmlToText(article ? `<div role="main">${article.innerHTML}</div>` : html, anchor);
};
