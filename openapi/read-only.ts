import type { Node } from './schemas.ts'

/**
 * Marks the properties of a response as `readOnly` that the PUT of the same thing accepts and
 * ignores. The body says which they are.
 */
export function markReadOnly(paths: Node, components: Node): void {
  for (const { put } of Object.values<Node>(paths)) {
    const sent = componentOf(put?.requestBody, components)
    const returned = componentOf(put?.responses[200], components)
    for (const [name, property] of Object.entries<Node>(sent?.properties ?? {})) {
      if (property.readOnly && returned) returned.properties[name].readOnly = true
    }
  }
}

/** Returns the component that is the content of a request or a response, if it is one. */
function componentOf(message: Node | undefined, components: Node): Node | undefined {
  const reference: string | undefined = message?.content?.['application/json']?.schema.$ref
  return reference && components[reference.replace(/^.*\//, '')]
}
