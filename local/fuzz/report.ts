import type { FuzzResult } from './fuzz.ts'

/** Formats the result as a table for the documentation. */
export function report({ classes, health, memory, findings }: FuzzResult): string {
  const rows = Object.entries(classes).map(([name, { cases, statuses, slowest }]) => {
    const counts = Object.entries(statuses)
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
    return `| ${name} | ${cases} | ${counts.join(', ')} | ${slowest.toFixed(0)} |`
  })
  return [
    '| attributes | cases | responses | slowest ms |',
    '|---|---|---|---|',
    ...rows,
    '',
    `\`/health\`: ${health.asked} responses, the slowest after ${health.slowest.toFixed(0)} ms. Resident memory of the`,
    `service: ${memory.before} MiB before, at most ${memory.most}, ${memory.after} after. Findings: ${findings.length}.`,
  ].join('\n')
}
