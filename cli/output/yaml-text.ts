import { Document, isScalar, Scalar, visit } from 'yaml'
import { escapeControlCharacters, hasControlCharacters } from './text.ts'

/**
 * Returns a value as YAML. Characters that a terminal acts on are escaped, which keeps the value:
 * they stand only in strings, and those are in double quotes.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && hasControlCharacters(node.value))
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escapeControlCharacters(document.toString({ lineWidth: 0 }))
}
