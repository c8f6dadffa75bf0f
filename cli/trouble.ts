import { type CliFailure, failed } from './failure.ts'

/** Returns a failure that explains why the service did not answer. */
export function unreachable(server: string, error: unknown): CliFailure {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  const found = reasons.find(([pattern]) => pattern.test(code))
  const reason = found?.[1] ?? (message || code || 'unknown error')
  return failed(`cannot reach ${server}: ${reason}`, { hint: found?.[2], cause: error })
}

const untrusted = 'use --insecure to skip the check, or NODE_EXTRA_CA_CERTS to trust its issuer'

/** Error code → what it means, and what to do about it. */
const reasons: [RegExp, string, string?][] = [
  [/^ECONNREFUSED$/, 'the connection was refused', 'is the service running, and the port right?'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no host of that name'],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT)$/, 'no answer in time'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'there is no way to that host'],
  [/^(ECONNRESET|EPIPE)$/, 'the connection was closed without an answer'],
  [/^CERT_HAS_EXPIRED$/, 'its TLS certificate has expired', untrusted],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its TLS certificate is for another name', untrusted],
  [/(SELF_SIGNED|UNABLE_TO|CERT_|^ERR_TLS)/, 'its TLS certificate is not trusted', untrusted],
  [/^(EPROTO|ERR_SSL)/, 'it does not speak TLS there', 'is it http:// rather than https://?'],
  [/^HPE_/, 'it does not speak HTTP there', 'is it https:// rather than http://?'],
]
