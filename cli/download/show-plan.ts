import { shortList } from '../folder/short-list.ts'
import type { Printer } from '../output/print.ts'
import type { DownloadPlan } from './plan-download.ts'

/** Prints what a download changes and what it leaves out, on standard error. */
export function showPlan(plan: DownloadPlan, print: Printer): void {
  const { write, replace, remove, hidden, git } = plan
  const lines: [string, readonly string[]][] = [
    ['writing', write.map(({ path }) => path)],
    ['replacing', replace.map(({ path }) => path)],
    ['deleting, as the stack no longer has it', remove],
    ['left out, as reading it needs stacks:secrets', hidden],
    ['left out, as programs run what is in it', git],
  ]
  for (const [title, paths] of lines) {
    if (paths.length > 0) print.note(`${title}: ${shortList(paths)}`)
  }
}
