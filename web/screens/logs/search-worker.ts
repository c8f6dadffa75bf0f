import type { SearchReply, SearchRequest } from './worker-messages.ts'

/** Finds lines by a regular expression, which may take long, outside of the page's thread. */
addEventListener('message', ({ data }: MessageEvent<SearchRequest>) => {
  const { id, pattern, flags, from, texts } = data
  const expression = new RegExp(pattern, flags)
  const found = texts.flatMap((text, index) => (expression.test(text) ? [from + index] : []))
  const reply: SearchReply = { id, found }
  postMessage(reply)
})
