import { fields, textsOf } from '../build-session/protocol-buffers.ts'

/** Field numbers of BuildKit's `StatusResponse`. */
const statusFields = { vertexes: 1, logs: 3, warnings: 4 }
const vertexFields = { digest: 1, name: 3 }
const logFields = { vertex: 1, text: 4 }
const warningFields = { short: 3 }

/** The step that looks up an image. */
const lookupName = /^\[(?:\S+ )?internal\] load metadata for (\S+)$/
/** The step that begins a stage, or that copies from an image. */
const baseName = /^(?:(?:\[[^\]]*\] )?FROM |docker-image:\/\/)(\S+)$/

/** What a progress message of BuildKit says. */
export interface Traced {
  /** Output of the build's `RUN` commands. */
  output: string
  warnings: string[]
  /** The names of images that BuildKit looks up, such as `docker.io/library/busybox:latest`. */
  lookups: string[]
  /**
   * The images whose contents BuildKit uses. Those from a registry, or kept in containerd, have
   * their digest: `docker.io/library/busybox:latest@sha256:…`.
   */
  bases: string[]
}

/**
 * Returns a reader of BuildKit's progress messages (base64-encoded protocol buffers). It reads
 * nothing from unreadable input. Output of other steps than `RUN` is left out because it can quote
 * remote servers that the builder fetches from.
 */
export function traceReader(): (aux: string) => Traced {
  const commands = new Set<string>()
  return (aux) => {
    const traced: Traced = { output: '', warnings: [], lookups: [], bases: [] }
    for (const [field, part] of fields(Buffer.from(aux, 'base64'))) {
      if (field === statusFields.vertexes) {
        const { digest, name } = textsOf(part, vertexFields)
        if (/^(\[[^\]]*\] )?RUN /.test(name)) commands.add(digest)
        const [, lookup] = lookupName.exec(name) ?? []
        if (lookup !== undefined) traced.lookups.push(lookup)
        const [, base] = baseName.exec(name) ?? []
        if (base !== undefined) traced.bases.push(base)
      } else if (field === statusFields.logs) {
        const { vertex, text } = textsOf(part, logFields)
        if (commands.has(vertex)) traced.output += text
      } else if (field === statusFields.warnings) {
        traced.warnings.push(textsOf(part, warningFields).short)
      }
    }
    return traced
  }
}
