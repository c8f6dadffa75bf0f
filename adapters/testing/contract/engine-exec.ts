import { expect, test } from 'vitest'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { ExecOptions, ExecSession } from '../../../functions/core/ports/engine-exec.ts'
import { createStep, type NewEngineWorld, run, startContainer } from './engine-world.ts'

/** Tests commands in containers through the Engine port. */
export function engineExecContract(newWorld: NewEngineWorld) {
  const never = () => new AbortController().signal

  async function started() {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const exec = (command: string[], more: Partial<ExecOptions> = {}, signal = never()) =>
      engine.exec(name, { command, tty: false, ...more }, signal)
    return { engine, name, exec }
  }

  async function outputOf({ output }: ExecSession) {
    const texts = { stdout: '', stderr: '' }
    for await (const { stream, data } of output) texts[stream] += Buffer.from(data).toString()
    return texts
  }
  const sh = (script: string) => ['sh', '-c', script]

  test('attaches to a container before its start, with its input, output and exit code', async () => {
    const { engine, project } = await newWorld()
    const create = createStep(project, 'one', '', {
      Cmd: ['cat'],
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
    })
    const { id = '' } = await run(engine, create)
    const stop = new AbortController()
    const session = await engine.attach(id, { tty: false }, stop.signal)
    await engine.act(id, { kind: 'start' })
    await session.write(Buffer.from('hello'))
    session.endInput()
    let output = ''
    for await (const { stream, data } of session.output) output += `${stream} ${Buffer.from(data)}`
    expect(output).toBe('stdout hello')
    const exitCode = async () => (await engine.container(id)).exitCode
    await expect.poll(exitCode).toBe(0)
    stop.abort()
    const none = engine.attach('none', { tty: false }, new AbortController().signal)
    await expect(none).rejects.toMatchObject({ status: 404 })
  })

  test('a command has two streams and an exit code', async () => {
    const { exec } = await started()
    const session = await exec(sh('echo out; echo err >&2; exit 7'))
    expect(await outputOf(session)).toEqual({ stdout: 'out\n', stderr: 'err\n' })
    expect(await session.exitCode()).toBe(7)
  })

  test('passes input to a command and returns its output after the end of input', async () => {
    const { exec } = await started()
    const session = await exec(['cat'])
    await session.write(Buffer.from('hello '))
    await session.write(Buffer.from('you'))
    session.endInput()
    expect(await outputOf(session)).toEqual({ stdout: 'hello you', stderr: '' })
    expect(await session.exitCode()).toBe(0)
  })

  test('a terminal has a size and a single stream', async () => {
    const { exec } = await started()
    const session = await exec(['sh'], { tty: true, size: { columns: 100, rows: 30 } })
    await session.resize({ columns: 120, rows: 40 })
    await session.write(Buffer.from('echo err >&2\n'))
    await session.write(Buffer.from('stty size\n'))
    await session.write(Buffer.from('exit 3\n'))
    const { stdout, stderr } = await outputOf(session)
    expect(stdout).toContain('err\r\n')
    expect(stdout).toContain('40 120\r\n')
    expect(stderr).toBe('')
    expect(await session.exitCode()).toBe(3)
    await session.resize({ columns: 1, rows: 1 })
  })

  test('passes arguments to the command unchanged', async () => {
    const { exec } = await started()
    const session = await exec(['echo', '$HOME', '`id`', "'", '*'])
    expect(await outputOf(session)).toMatchObject({ stdout: "$HOME `id` ' *\n" })
  })

  test('a command ends with its container', async () => {
    const { engine, name, exec } = await started()
    const session = await exec(sh('echo up; exec sleep 100'))
    await session.output[Symbol.asyncIterator]().next()
    await engine.act(name, { kind: 'kill' })
    await outputOf(session)
    expect(await session.exitCode()).toBe(137)
    await expect(exec(['true'])).rejects.toMatchObject({ status: 409 })
  })

  test('a command in a removed container has no exit code', async () => {
    const { engine, name, exec } = await started()
    const session = await exec(['sleep', '100'])
    await engine.removeContainer(name, { force: true })
    await outputOf(session)
    expect([null, 126, 137]).toContain(await session.exitCode())
  })

  test('a signal ends the output; a hang-up ends the command', async () => {
    const { exec } = await started()
    const stop = new AbortController()
    const session = await exec(['sleep', '100'], {}, stop.signal)
    const reading = outputOf(session)
    stop.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect(await session.hangUp()).toEqual([])
    expect(await session.exitCode()).not.toBe(0)
  })

  test('404: a command in a container that does not exist', async () => {
    const { engine, project } = await newWorld()
    await notThere(engine, [`${project}-none`, '../../version', 'a/exec?x='])
  })

  async function notThere(engine: Engine, ids: string[]) {
    for (const id of ids) {
      const work = engine.exec(id, { command: ['true'], tty: false }, never())
      await expect(work).rejects.toMatchObject({ status: 404 })
    }
  }
}
