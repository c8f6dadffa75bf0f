type Labels = Record<string, string | number | null>

/** One metric and its values. Unknown values (null) are omitted. */
export interface MetricFamily {
  /** The name without the prefix of the service. */
  name: string
  type: 'gauge' | 'counter'
  help: string
  values: readonly { labels?: Labels; value: number | null }[]
}

/** The content type of `prometheusText`. */
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns metrics in the Prometheus text format 0.0.4. Labels without a value are omitted. */
export function prometheusText(prefix: string, families: readonly MetricFamily[]): string {
  const lines: string[] = []
  for (const { name, type, help, values } of families) {
    const known = values.filter(({ value }) => value !== null && Number.isFinite(value))
    if (known.length === 0) continue
    lines.push(`# HELP ${prefix}${name} ${help}`, `# TYPE ${prefix}${name} ${type}`)
    for (const { labels = {}, value } of known) {
      lines.push(`${prefix}${name}${labelText(labels)} ${value}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function labelText(labels: Labels): string {
  const known = Object.entries(labels).filter(([, value]) => value !== null)
  if (known.length === 0) return ''
  return `{${known.map(([name, value]) => `${name}="${escaped(String(value))}"`).join(',')}}`
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
