import { Document, isScalar, Scalar, visit } from 'yaml'
import { resolvePlain } from './yaml-scalar.ts'

/** A line break of another system would be read back as `\n` if it stood in a block of lines. */
const unprintable = /(?![\n\t])\p{Cc}/u

/** The Compose tools read more plain texts as numbers than YAML does: `1_000`, or a date. */
const needsQuotes = (text: string) => unprintable.test(text) || resolvePlain(text) !== text

/**
 * Returns a value as a YAML document that is read back as the same value. Texts of several lines
 * are blocks, nothing is folded, and equal values have equal texts.
 */
export function printDocument(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && needsQuotes(node.value))
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0 })
}
