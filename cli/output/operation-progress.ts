import type { Operation } from '../api/types.ts'
import type { Io } from '../io.ts'
import { liveLines } from './live-lines.ts'
import { operationWork } from './operation-words.ts'
import { painter } from './paint.ts'
import { type Progress, type ProgressMode, progressIn } from './progress.ts'
import { clean } from './text.ts'

/** Returns what shows that an operation runs. Only its end says more. */
export const makeOperationProgress = (io: Io, mode: ProgressMode): Progress<Operation> =>
  progressIn(io, mode, { tty: drawn, plain: silent, facts: factsOf })

const factsOf = ({ id, kind, status, error }: Operation) => [{ operation: id, kind, status, error }]

const silent = ({ stderr }: Io): Progress<Operation> => ({
  show() {},
  away: (why) => void stderr.write(`${clean(why)}\n`),
  end() {},
})

function drawn({ stderr, env }: Io): Progress<Operation> {
  const lines = liveLines(stderr)
  const paint = painter(stderr, env)
  return {
    show: (operation) => lines.draw([`${operationWork(operation)} is running`]),
    away: (why) => lines.draw([paint('yellow', clean(why))]),
    end: () => lines.clear(),
  }
}
