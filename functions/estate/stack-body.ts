import type { z } from 'zod'
import type { SecretOf } from './fill-in.ts'
import type { EstateFile, EstateStack } from './schema.ts'

type File = z.output<typeof EstateFile>

/** Returns the files of a stack as a request sends them. Secret ones that are kept are left out. */
export function stackBody(
  { compose, env, overlays, files = {} }: z.output<typeof EstateStack>,
  secretOf: SecretOf,
): object {
  const sent = Object.entries(files).flatMap(([path, file]) => {
    const body = fileBody(file, secretOf)
    return body ? [[path, body] as const] : []
  })
  return {
    compose,
    env: env && secretOf(env.from),
    overlays,
    ...(sent.length > 0 && { files: Object.fromEntries(sent) }),
  }
}

function fileBody({ content, base64, link, mode }: File, secretOf: SecretOf): object | undefined {
  if (link !== undefined) return { link }
  if (base64 !== undefined) return { base64: base64.toString('base64'), mode }
  const text = typeof content === 'object' ? secretOf(content.from) : content
  return text === undefined ? undefined : { content: text, mode }
}
