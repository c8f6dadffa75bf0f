import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { autocompletion } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { hoverTooltip } from '@codemirror/view'
import { startWorker } from '../own-worker.ts'
import type { Hover, Option, Options } from './compose-help.ts'
import type { Question } from './compose-worker.ts'

interface Answers {
  options: Options
  hover: Hover
}

let worker: Worker | undefined
let lastId = 0

/** Asks the worker, which is started by the first question and then stays. */
function ask<K extends keyof Answers>(
  question: Omit<Question, 'id' | 'kind'> & { kind: K },
): Promise<Answers[K] | undefined> {
  worker ??= startWorker('compose')
  const running = worker
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    const onMessage = ({ data }: MessageEvent<{ id: number; answer?: Answers[K] }>) => {
      if (data.id !== id) return
      running.removeEventListener('message', onMessage)
      resolve(data.answer)
    }
    running.addEventListener('message', onMessage)
    running.postMessage({ ...question, id })
  })
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const text = context.state.doc.toString()
  const found = await ask({ kind: 'options', text, offset: context.pos })
  if (!found || context.aborted || found.options.length === 0) return null
  // An empty place asks only when the reader does, or the list would open with every new line.
  if (found.from === context.pos && !context.explicit && !isBehindColon(text, context.pos)) {
    return null
  }
  const options = found.options.map((option) => completionOf(option, found.column))
  return { from: found.from, options, validFor: /^[\w."-]*$/ }
}

const isBehindColon = (text: string, offset: number) => /:\s$/.test(text.slice(0, offset))

function completionOf({ label, kind, holds, isRequired, about }: Option, column: number) {
  const below = `\n${' '.repeat(column + 2)}`
  const behind = { value: ': ', mapping: `:${below}`, list: `:${below}- ` }
  const type = { key: 'property', value: 'enum', name: 'variable' }[kind]
  const completion: Completion = { label, type }
  if (holds) completion.apply = label + behind[holds]
  if (about) completion.info = () => words(about)
  if (isRequired) completion.boost = 10
  return completion
}

const hover = hoverTooltip(async (view, position) => {
  const text = view.state.doc.toString()
  const found = await ask({ kind: 'hover', text, offset: position })
  if (!found || view.state.doc.toString() !== text) return null
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create: () => ({ dom: hoverBox(found) }),
  }
})

/** Returns a description; what stands between backticks is code. */
function words(about: string): HTMLElement {
  const line = document.createElement('div')
  for (const [index, part] of about.split('`').entries()) {
    const element = document.createElement(index % 2 === 1 ? 'code' : 'span')
    element.textContent = part
    line.append(element)
  }
  return line
}

function hoverBox({ about, values }: Hover): HTMLElement {
  const box = document.createElement('div')
  box.className = 'compose-hover'
  box.append(words(about))
  if (values.length > 0) {
    const line = document.createElement('p')
    for (const value of values) {
      const code = document.createElement('code')
      code.textContent = value
      line.append(code, ' ')
    }
    box.append(line)
  }
  return box
}

/** Completion and hover by the schema of compose files. */
export const composeHelp: Extension = [
  autocompletion({ override: [complete], icons: false }),
  hover,
]
