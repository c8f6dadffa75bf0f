import { expect, test } from 'vitest'
import {
  createStep,
  type NewEngineWorld,
  run,
  startContainer,
  step,
  waitStep,
} from './engine-world.ts'

/** Tests waiting for dependencies through the Engine port, with docker compose's messages. */
export function engineWaitsContract(newWorld: NewEngineWorld) {
  const checked = (test: string) => ({
    Healthcheck: { Test: ['CMD-SHELL', test], Interval: 1e8, Timeout: 1e9, Retries: 1 },
  })

  async function started(world: Awaited<ReturnType<NewEngineWorld>>, script: string, body = {}) {
    const create = createStep(world.project, 'one', script, body)
    await run(world.engine, create, step({ action: 'start', kind: 'container', name: create.name }))
    return create.name
  }

  test('waits for a healthy dependency', async () => {
    const world = await newWorld()
    const name = await started(world, 'sleep 100', checked('true'))
    await run(world.engine, waitStep(name, 'service_healthy'))
    expect((await world.engine.observe(world.project)).containers[0]?.health).toBe('healthy')
  })

  test('409: a dependency is unhealthy', async () => {
    const world = await newWorld()
    const name = await started(world, 'sleep 100', checked('false'))
    await expect(run(world.engine, waitStep(name, 'service_healthy'))).rejects.toMatchObject({
      status: 409,
      message: `dependency failed to start: container ${name} is unhealthy`,
    })
  })

  test('409: a dependency exits before it is healthy', async () => {
    const world = await newWorld()
    const name = await started(world, 'exit 4', checked('true'))
    await expect(run(world.engine, waitStep(name, 'service_healthy'))).rejects.toMatchObject({
      status: 409,
      message: `dependency failed to start: container ${name} exited (4)`,
    })
  })

  test('409: a dependency without a health check must be healthy', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    await expect(run(engine, waitStep(name, 'service_healthy'))).rejects.toMatchObject({
      status: 409,
      message: `dependency failed to start: container ${name} has no healthcheck configured`,
    })
  })

  test('waits for a job that succeeds', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'true')
    await run(engine, waitStep(name, 'service_completed_successfully'))
    expect((await engine.observe(project)).containers[0]).toMatchObject({
      state: 'exited',
      exitCode: 0,
    })
  })

  test('409: a required job fails; an optional one only warns', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'exit 7')
    const said = `service "one" didn't complete successfully: exit 7`
    const condition = 'service_completed_successfully'
    await expect(run(engine, waitStep(name, condition))).rejects.toMatchObject({
      status: 409,
      message: said,
    })
    const { warnings } = await run(engine, waitStep(name, condition, false))
    expect(warnings).toEqual([`optional dependency ${name}: ${said}`])
  })

  test('stops waiting when the caller aborts', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const stop = new AbortController()
    const waiting = engine.execute(waitStep(name, 'service_completed_successfully'), stop.signal)
    stop.abort(new Error('shutting down'))
    await expect(waiting).rejects.toThrow('shutting down')
    await expect(engine.execute(waitStep(name, 'service_started'), stop.signal)).rejects.toThrow(
      'shutting down',
    )
  })
}
