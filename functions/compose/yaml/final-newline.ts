interface BlockScalar {
  value: unknown
  type?: string
  range?: readonly number[] | null
}

/**
 * Returns the text of a block scalar (`|` or `>`) as the Compose tools read it: where a file ends
 * in its last line, without a line break, it has no final line break either. The YAML library adds
 * one.
 *
 * @param text the whole file
 */
export function blockText({ value, type, range }: BlockScalar, text: string): string {
  const read = String(value)
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
  if (!isBlock || range?.[1] !== text.length || !read.endsWith('\n')) return read
  return hasContent(lastLine(text), lastLine(read.slice(0, -1))) ? read.slice(0, -1) : read
}

const lastLine = (text: string) =>
  text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)

/** A line of spaces is content only as far as it is indented more than the block. */
const hasContent = (line: string, valueLine: string) =>
  line.trim() !== '' || (valueLine !== '' && valueLine.trim() === '')
