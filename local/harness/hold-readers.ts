import { readFileSync } from 'node:fs'
import type { Running } from './service.ts'

/**
 * Stops the processes in which a service reads compose files, and those that it starts instead, so
 * that its queue stays full. Returns the function that lets them continue, as the end of the
 * service does.
 */
export function holdReaders({ child, ended }: Running): () => void {
  const held = new Set<number>()
  const hold = () => {
    for (const pid of readersOf(child.pid ?? 0)) {
      held.add(pid)
      signal(pid, 'SIGSTOP')
    }
  }
  hold()
  const holding = setInterval(hold, 20)
  const release = () => {
    clearInterval(holding)
    for (const pid of held) signal(pid, 'SIGCONT')
    held.clear()
  }
  void ended.then(release)
  return release
}

function readersOf(service: number): number[] {
  const children = read(`/proc/${service}/task/${service}/children`).trim().split(' ')
  return children
    .map(Number)
    .filter((pid) => pid > 0 && read(`/proc/${pid}/cmdline`).includes('compose-worker'))
}

/** Returns the content of a file in /proc; nothing if its process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasEnded(error)) return ''
    throw error
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!hasEnded(error)) throw error
  }
}

const hasEnded = (error: unknown) =>
  ['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))
