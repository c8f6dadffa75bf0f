/**
 * A decoded JSON text of which only the expectations of a test know the shape. Typed as JSON.parse
 * types it: a test reads members freely, and an expectation fails if one is not there.
 */
export type Json = ReturnType<typeof JSON.parse>
