/**
 * The nonce of this page. The editor and the terminal write style sheets, which the policy allows
 * with it alone. The attribute reads as empty, the property does not.
 */
export const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''

/**
 * Calls `work` while new `<style>` elements get the nonce, for a package that has no option for it.
 */
export function withNonce<T>(work: () => T): T {
  const create = document.createElement
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    Object.assign(
      create.call(document, name, options),
      name === 'style' && { nonce },
    )) as typeof create
  try {
    return work()
  } finally {
    // What is removed is our own property; the prototype has the method.
    Reflect.deleteProperty(document, 'createElement')
  }
}
