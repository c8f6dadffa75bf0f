import { differences } from '../differences.ts'
import type { Json } from './engine.ts'
import { type Inspected, inspectProject } from './inspect.ts'
import { normal } from './normal-forms.ts'

/** How long to wait for our containers to reach the state of theirs. Milliseconds. */
const timeout = 20_000

/**
 * Returns every difference between the project's state in the Engine now and before. Waits until
 * there is none.
 */
export async function compareInspected(model: Json, before: Inspected): Promise<string[]> {
  const end = Date.now() + timeout
  const asked = JSON.stringify(model)
  const wanted = comparable(before, asked)
  for (;;) {
    const found = differences(comparable(await inspectProject(model.name), asked), wanted)
    if (found.length === 0 || Date.now() > end) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/**
 * Returns every difference in the configuration of containers that both sides created. Used for
 * projects that cannot be started here.
 */
export async function compareMade(model: Json, before: Inspected): Promise<string[]> {
  const asked = JSON.stringify(model)
  const made = ({ containers }: Inspected, names: readonly string[]) => {
    const all = (comparable({ containers, networks: {}, volumes: {} }, asked) as Inspected)
      .containers
    return Object.fromEntries(
      names.map((name) => [name, { Config: all[name]?.Config, HostConfig: all[name]?.HostConfig }]),
    )
  }
  const now = await inspectProject(model.name)
  const names = Object.keys(now.containers).filter((name) => before.containers[name])
  return differences(made(now, names), made(before, names))
}

function comparable(things: Inspected, asked: string): unknown {
  const { containers, networks, volumes } = JSON.parse(withoutIds(things)) as Inspected
  const each = (of: Parameters<typeof normal>[0], all: Record<string, Json>) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, normal(of, one, asked)]))
  return {
    containers: each('container', containers),
    networks: each('network', networks),
    volumes: each('volume', volumes),
  }
}

/** Returns everything as text with each ID replaced by the name of its object. */
function withoutIds(things: Inspected): string {
  let text = JSON.stringify(things)
  for (const [name, { Id }] of Object.entries(things.containers)) {
    text = text.replaceAll(Id, `<${name}>`).replaceAll(Id.slice(0, 12), `<${name}>`)
  }
  for (const [name, { Id }] of Object.entries(things.networks)) {
    text = text.replaceAll(Id, `<${name}>`)
  }
  // The remaining IDs are names of anonymous volumes, which the Engine generates.
  return text.replaceAll(/(?<!sha256:)\b[0-9a-f]{64}\b/g, '<made up>')
}
