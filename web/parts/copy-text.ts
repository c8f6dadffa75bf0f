/**
 * Copies a text. Returns whether that worked. Without TLS there is no clipboard API, so there it
 * copies what a hidden field has selected.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copySelection(text),
    )
  }
  return copySelection(text)
}

function copySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden-text'
  // A modal dialog makes everything outside of it inert.
  ;(focused?.closest('dialog') ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  focused?.focus()
  return isCopied
}
