import type { PullMessage } from '../api/types.ts'
import type { Io } from '../io.ts'
import { liveLines } from './live-lines.ts'
import { painter } from './paint.ts'
import { frames, jsonLine, type ProgressMode } from './progress.ts'
import { clean } from './text.ts'
import { bytes } from './units.ts'

type Layer = Extract<PullMessage, { layers: unknown }>['layers'][number]

/** Shows the layers of a pull. */
export interface LayerProgress {
  show(changed: readonly Layer[]): void
  /** Removes what was drawn. */
  end(): void
}

/** Returns what shows the layers of a pull: a line for each one, or JSON. */
export function layerProgress(io: Io, mode: ProgressMode): LayerProgress {
  if (mode === 'tty') return drawn(io)
  return {
    show(changed) {
      if (mode !== 'json') return
      for (const layer of changed) io.stderr.write(jsonLine({ layer }))
    },
    end() {},
  }
}

function drawn({ stderr, env }: Io): LayerProgress {
  const paint = painter(stderr, env)
  const layers = new Map<string, Layer>()
  const lines = liveLines(stderr)
  let turn = 0
  const lineOf = (layer: Layer) => {
    const text = clean(`${layer.id}  ${words[layer.state] ?? layer.state}${sizes(layer)}`)
    if (isComplete(layer)) return `${paint('green', '✔')} ${paint('dim', text)}`
    return `${paint('cyan', frames[turn % frames.length] ?? '')} ${text}`
  }
  return {
    show(changed) {
      for (const layer of changed) layers.set(layer.id, layer)
      const room = Math.max(3, (stderr.rows ?? 24) - 2)
      const all = [...layers.values()]
      turn += 1
      if (all.length <= room) return lines.draw(all.map(lineOf))
      const open = all.filter((layer) => !isComplete(layer))
      const count = `${all.length - open.length} of ${all.length} layers done`
      lines.draw([...open.slice(0, room - 1).map(lineOf), paint('dim', count)])
    },
    end: () => lines.clear(),
  }
}

const isComplete = ({ state }: Layer) => state === 'done' || state === 'exists'

const words: Partial<Record<string, string>> = { exists: 'is there already' }

function sizes({ current, total }: Layer): string {
  if (current === null) return ''
  return total === null ? ` ${bytes(current)}` : ` ${bytes(current)} of ${bytes(total)}`
}
