import { unifiedMergeView } from '@codemirror/merge'
import { t } from '../../text/text.ts'
import { type CodeOptions, createView } from './code-view.ts'
import { withoutMark } from './line-ends.ts'

/** Returns what creates a view of the differences from a text. */
export const mergeCreator = (theirs: string) => (parent: HTMLElement, options: CodeOptions) =>
  createView(
    parent,
    options,
    unifiedMergeView({
      original: withoutMark(theirs),
      mergeControls: choice,
      collapseUnchanged: { margin: 3, minSize: 6 },
    }),
  )

function choice(type: 'accept' | 'reject', action: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'merge-choice'
  button.textContent = type === 'accept' ? t.editor.keepMine : t.editor.takeTheirs
  button.addEventListener('mousedown', (event) => event.preventDefault())
  button.addEventListener('click', action)
  return button
}
