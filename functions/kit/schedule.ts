/** Work that is begun again and again, in every process: what must happen once takes a lease. */
export interface Schedule<N = any> {
  readonly summary: string
  readonly everySeconds: number
  with(ports: N): () => Promise<void>
}

/** Makes a schedule. The first run is at the start of the process; the next begins when the last one is done. */
export function schedule<N>(spec: {
  summary: string
  everySeconds: number
  run(ports: N): Promise<void>
}): Schedule<N> {
  const { summary, everySeconds } = spec
  return { summary, everySeconds, with: (ports) => () => spec.run(ports) }
}

/** The manifest's schedules by name. */
export type Schedules = Record<string, () => Promise<{ default: Schedule }>>

/** A literal of lines: name → file. */
export const schedules = <const S extends Schedules>(lines: S): S => lines
