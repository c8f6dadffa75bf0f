import { expect, test } from 'vitest'
import type { LogLine } from '../../../functions/core/records/container.ts'
import {
  createStep,
  type NewEngineWorld,
  run,
  startContainer,
  step,
  waitStep,
} from './engine-world.ts'

/** Tests the streams of the Engine port. */
export function engineStreamsContract(newWorld: NewEngineWorld) {
  const never = () => new AbortController().signal

  async function gathered(batches: AsyncIterable<readonly LogLine[]>): Promise<LogLine[]> {
    const lines: LogLine[] = []
    for await (const batch of batches) {
      expect(batch.length).toBeGreaterThan(0)
      lines.push(...batch)
    }
    return lines
  }
  const texts = async (batches: AsyncIterable<readonly LogLine[]>) =>
    (await gathered(batches)).map(({ line }) => line)

  test('without follow, a log ends after the past lines', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(
      engine,
      project,
      'one',
      'echo one; echo two; echo three; sleep 100',
    )
    const past = { tail: 'all', follow: false } as const
    await expect.poll(() => texts(engine.followLogs(name, past, never()))).toHaveLength(3)
    const last = { tail: 1, follow: false } as const
    const lines = await gathered(engine.followLogs(name, last, never()))
    expect(lines).toMatchObject([{ stream: 'stdout', line: 'three' }])
    const later = { ...past, since: '2999-01-01T00:00:00Z' }
    expect(await texts(engine.followLogs(name, later, never()))).toEqual([])
  })

  test('a log is read back from a time, at which a line is included', async () => {
    const { engine, project } = await newWorld()
    const command = 'echo one; echo two; echo three; sleep 100'
    const name = await startContainer(engine, project, 'one', command)
    const read = (tail: number, until?: string) => engine.logs(name, { tail, until })
    await expect.poll(() => read(5)).toHaveLength(3)
    const all = await read(5)
    const until = all[1]?.time ?? ''
    const early = all.filter(({ time }) => time <= until)
    expect(await read(5, until)).toEqual(early)
    expect(await read(1, until)).toEqual(early.slice(-1))
    expect(await read(5, '2000-01-01T00:00:00Z')).toEqual([])
  })

  test('a followed log ends when the container stops, restarts or is removed', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'echo one; sleep 100')
    const options = { tail: 'all', follow: true } as const
    for (const end of [
      () => engine.act(name, { kind: 'restart', timeoutSeconds: 0 }),
      () => engine.act(name, { kind: 'kill' }),
    ]) {
      const log = engine.followLogs(name, options, never())[Symbol.asyncIterator]()
      expect((await log.next()).value?.[0]).toMatchObject({ line: 'one' })
      await end()
      const rest = { [Symbol.asyncIterator]: () => log }
      expect((await texts(rest)).every((line) => line === 'one')).toBe(true)
    }
    expect((await texts(engine.followLogs(name, options, never())))[0]).toBe('one')
    await engine.act(name, { kind: 'start' })
    const log = engine.followLogs(name, options, never())[Symbol.asyncIterator]()
    await log.next()
    await engine.removeContainer(name, { force: true })
    await texts({ [Symbol.asyncIterator]: () => log })
  })

  test('a signal ends streams and leaves the Engine running', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'echo one; sleep 100')
    const stop = new AbortController()
    const log = engine.followLogs(name, { tail: 1, follow: true }, stop.signal)
    const stats = engine.stats(name, stop.signal)
    const [lines, figures] = [log[Symbol.asyncIterator](), stats[Symbol.asyncIterator]()]
    await Promise.all([lines.next(), figures.next()])
    const both = [lines.next(), figures.next()]
    stop.abort(new Error('enough'))
    for (const one of both) await expect(one).rejects.toThrow('enough')
    expect(await engine.container(name)).toMatchObject({ state: 'running' })
  })

  test('streams the resource usage of a container until it stops', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const stats = engine.stats(name, never())[Symbol.asyncIterator]()
    const { value } = await stats.next()
    expect(value.pids).toBeGreaterThan(0)
    expect(value.cpus).toBeGreaterThan(0)
    expect(value.memory).toBeGreaterThan(0)
    expect(value.memoryLimit).toBeGreaterThan(value.memory)
    expect(value.memoryPercent).toBeCloseTo((value.memory / value.memoryLimit) * 100, 1)
    expect(value.cpuPercent).toBeGreaterThanOrEqual(0)
    expect(Number.isNaN(Date.parse(value.time))).toBe(false)
    await engine.act(name, { kind: 'kill' })
    for (;;) if ((await stats.next()).done) break
    for await (const none of engine.stats(name, never())) expect.unreachable(JSON.stringify(none))
  })

  test('409: the log driver of a container does not support reading', async () => {
    const { engine, project } = await newWorld()
    const HostConfig = { NetworkMode: 'none', LogConfig: { Type: 'none', Config: {} } }
    const create = createStep(project, 'one', 'echo one; sleep 100', { HostConfig })
    const { name } = create
    await run(engine, create, step({ action: 'start', kind: 'container', name }))
    const failure = {
      status: 409,
      reason: 'conflict',
      message: 'the log of the container cannot be read: its log driver (none) does not support it',
    }
    await expect(engine.logs(name, { tail: 1 })).rejects.toMatchObject(failure)
    for (const follow of [true, false]) {
      const log = engine.followLogs(name, { tail: 'all', follow }, never())
      await expect(gathered(log)).rejects.toMatchObject(failure)
    }
  })

  test('404: streams of a container that does not exist', async () => {
    const { engine, project } = await newWorld()
    for (const id of [`${project}-none`, '../../version', 'a/json?x=']) {
      const log = engine.followLogs(id, { tail: 1, follow: true }, never())
      await expect(gathered(log)).rejects.toMatchObject({ status: 404 })
      const stats = engine.stats(id, never())[Symbol.asyncIterator]()
      await expect(stats.next()).rejects.toMatchObject({ status: 404 })
    }
  })

  test('the log of a job ends with the job', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'echo one')
    await run(engine, waitStep(name, 'service_completed_successfully'))
    const options = { tail: 10, follow: true } as const
    expect(await texts(engine.followLogs(name, options, never()))).toEqual(['one'])
  })
}
