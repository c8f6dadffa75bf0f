import type { painter, Style } from './paint.ts'
import { clean } from './text.ts'

/** A file that differs, as the service sends it. */
interface FileDiff {
  path: string
  change: string
  diff: string | null
  hidden: string | null
}

const reasons: Record<string, string> = {
  secret: 'its content needs the permission stacks:secrets',
  binary: 'a binary file',
  large: 'too large to show',
}

/** Returns the lines of a unified diff, coloured by `paint`. A file without a diff has one line. */
export function diffLines(files: readonly FileDiff[], paint: ReturnType<typeof painter>): string[] {
  return files.flatMap(({ path, change, diff, hidden }) => {
    if (diff === null) {
      const reason = reasons[hidden ?? ''] ?? 'not shown'
      return [paint('bold', `${clean(path)}: ${change} (${reason})`)]
    }
    const lines = diff.split('\n')
    if (lines.at(-1) === '') lines.pop()
    let isInHunk = false
    return lines.map((line) => {
      isInHunk ||= line.startsWith('@@')
      const style = isInHunk ? styleOf(line) : 'bold'
      return style ? paint(style, cleanLine(line)) : cleanLine(line)
    })
  })
}

/** Tabs stay: they are a part of many files. */
const cleanLine = (line: string) => line.split('\t').map(clean).join('\t')

function styleOf(line: string): Style | undefined {
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : undefined
}
