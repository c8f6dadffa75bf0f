/** The last message of a command. */
interface Result {
  status: string
  details?: { causes?: { reason: string; message: string }[] }
}

/** Returns the exit code of a result message: "0", "137". */
export function exitCodeOf(bytes: Uint8Array): string {
  const { status, details } = JSON.parse(new TextDecoder().decode(bytes)) as Result
  if (status === 'Success') return '0'
  return details?.causes?.[0]?.message ?? '?'
}
