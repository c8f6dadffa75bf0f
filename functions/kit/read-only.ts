import { z } from 'zod'

/**
 * Returns the body of a PUT that also accepts what only its response has, such as `created_at`, so
 * that a response can be changed in one field and sent back. These fields are described as
 * `readOnly` and dropped, whatever their value is; only one that the path names too must be the
 * same there.
 */
export function acceptResponse<Body extends z.ZodRawShape>(
  body: z.ZodObject<Body, z.core.$strict>,
  response: z.ZodObject,
): z.ZodObject<Body, z.core.$strict> {
  const names = Object.keys(response.shape).filter((name) => !Object.hasOwn(body.shape, name))
  const fields = names.map((name) => [name, ignored(response.shape[name] as z.ZodType)])
  const accepting = body.extend(Object.fromEntries(fields)).overwrite((sent) => {
    const kept = Object.entries(sent).filter(([name]) => !names.includes(name))
    return Object.fromEntries(kept) as typeof sent
  })
  return accepting as unknown as z.ZodObject<Body, z.core.$strict>
}

const ignored = (field: z.ZodType) =>
  z
    .unknown()
    .optional()
    .meta({ readOnly: true, ...(field.description && { description: field.description }) })

/** Returns whether a field of a body is accepted only because the response has it. */
export const isReadOnly = (field: z.ZodType | undefined): boolean =>
  field !== undefined && z.globalRegistry.get(field)?.readOnly === true

/**
 * Returns the read-only fields of a body that its path names too, such as `id`. They say which
 * thing is changed, so they must be the same.
 */
export function namedTwice(body: z.ZodType | undefined, path: z.ZodObject | undefined): string[] {
  const { shape = {} } = (body ?? {}) as { shape?: z.ZodRawShape }
  return Object.keys(path?.shape ?? {}).filter((name) => isReadOnly(shape[name] as z.ZodType))
}
