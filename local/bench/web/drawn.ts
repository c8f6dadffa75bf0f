import type { Stage } from './stage.ts'

/** An event of a trace: https://www.chromium.org/developers/how-tos/trace-event-profiling-tool. */
interface TraceEvent {
  name: string
}

/** Counts the pictures that the browser draws until the work ends. */
export async function countDrawn<T>(
  { cdp }: Stage,
  work: () => Promise<T>,
): Promise<{ result: T; drawn: number }> {
  let drawn = 0
  const count = ({ value }: { value: unknown[] }) => {
    drawn += (value as TraceEvent[]).filter(({ name }) => name === 'DrawFrame').length
  }
  cdp.on('Tracing.dataCollected', count)
  const includedCategories = ['disabled-by-default-devtools.timeline.frame']
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories },
  })
  const result = await work()
  const isComplete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.end')
  await isComplete
  cdp.off('Tracing.dataCollected', count)
  return { result, drawn }
}
