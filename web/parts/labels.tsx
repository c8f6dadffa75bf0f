import './labels.css'

/** The labels of a container, a volume or a network, one a line. */
export function Labels({ of, none }: { of: Readonly<Record<string, string>>; none: string }) {
  const entries = Object.entries(of).sort(([one], [other]) => one.localeCompare(other))
  if (entries.length === 0) return <p class="no-labels">{none}</p>
  return (
    <dl class="labels">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
