import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const mono = { fontFamily: 'var(--mono)', fontSize: '12px', lineHeight: '20px' }
const raised = {
  border: '0',
  borderRadius: 'var(--radius)',
  backgroundColor: 'var(--surface-top)',
  color: 'var(--text)',
  boxShadow: 'var(--shadow), 0 0 0 1px var(--line)',
}

/** The colours of the tokens, which follow the theme of the page without a new view. */
const surfaceOfText = EditorView.theme({
  '&': { blockSize: '100%', backgroundColor: 'var(--surface-1)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { ...mono, fontVariantLigatures: 'none', overflow: 'auto' },
  '.cm-content': { paddingBlock: '8px', caretColor: 'var(--text)' },
  '.cm-cursor': { borderInlineStartColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-1)', color: 'var(--text-2)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px', paddingInline: '8px 4px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in oklab, var(--surface-2) 70%, transparent)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { backgroundColor: 'color-mix(in oklab, var(--accent) 28%, transparent)' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in oklab, var(--accent) 14%, transparent)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--surface-3)',
  },
  '.cm-searchMatch': {
    backgroundColor: 'color-mix(in oklab, var(--attention) 26%, transparent)',
  },
  '.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in oklab, var(--attention) 50%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--text-2)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--surface-3)', color: 'inherit', border: '0' },
})

/** What floats over the text or stands below it. */
const surfaces = EditorView.theme({
  '.cm-tooltip': raised,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { ...mono, maxHeight: '260px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { paddingBlock: '2px', paddingInline: '6px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-fill)',
    color: 'var(--on-fill)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '0.8' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo, .cm-tooltip-hover': {
    padding: '6px 10px',
    maxWidth: '340px',
    font: '13px/20px var(--font)',
  },
  '.cm-tooltip-hover:has(.cm-diagnostic)': { padding: '0' },
  '.cm-diagnostic': { padding: '6px 10px', border: '0', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { boxShadow: 'inset 3px 0 var(--failed)' },
  '.cm-diagnostic-warning': { boxShadow: 'inset 3px 0 var(--attention)' },
  '.cm-lintRange-error, .cm-lintRange-warning': { backgroundImage: 'none' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--failed)' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--attention)' },
  // The package's own marks are images, which the policy refuses.
  '.cm-lint-marker': { inlineSize: '8px', blockSize: '8px', margin: '6px 2px' },
  '.cm-lint-marker-error': {
    content: 'normal',
    borderRadius: '50%',
    backgroundColor: 'var(--failed)',
  },
  '.cm-lint-marker-warning': {
    content: 'normal',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
    backgroundColor: 'var(--attention)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)', border: '0' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 12px', font: '13px/20px var(--font)' },
  '.cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-textfield': {
    padding: '2px 8px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface-1)',
    fontSize: '13px',
  },
  '.cm-button': {
    padding: '2px 10px',
    border: '0',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface-3)',
    backgroundImage: 'none',
    fontSize: '13px',
  },
  '.cm-panel.cm-search [name=close]': { inset: '8px 12px auto auto', color: 'inherit' },
})

/** Added and removed text of a merge. */
const changes = EditorView.theme({
  '.cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'color-mix(in oklab, var(--running) 13%, transparent)',
  },
  '.cm-deletedChunk': {
    paddingBlock: '2px',
    backgroundColor: 'color-mix(in oklab, var(--failed) 12%, transparent)',
  },
  '&.cm-merge-b .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'none' },
  '.cm-deletedChunk button': { color: 'var(--text)' },
  '.cm-changedLineGutter': { background: 'var(--running)' },
  '.cm-deletedLineGutter': { background: 'var(--failed)' },
  '.cm-collapsedLines': { background: 'var(--surface-2)', color: 'var(--text-2)' },
})

const tokens = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: 'var(--accent)' },
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--running)' },
  { tag: [tags.labelName, tags.typeName, tags.keyword], color: 'var(--attention)' },
  { tag: [tags.lineComment, tags.comment, tags.meta], color: 'var(--text-2)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.operator], color: 'var(--text-2)' },
])

export const editorTheme = [surfaceOfText, surfaces, changes, syntaxHighlighting(tokens)]
