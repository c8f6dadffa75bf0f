import { type CliFailure, failed } from '../failure.ts'

/** Returns a failure that explains why the service did not respond. */
export function unreachable(server: string, error: unknown): CliFailure {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  const found = reasons.find(([pattern]) => pattern.test(code))
  const reason = found?.[1] ?? (message || code || 'unknown error')
  return failed(`cannot reach ${server}: ${reason}`, { hint: found?.[2], cause: error })
}

const untrusted = 'use --insecure to skip the check, or NODE_EXTRA_CA_CERTS to trust its issuer'

/** Error code → what it means, and what to do about it. */
const reasons: [RegExp, string, string?][] = [
  [
    /^ECONNREFUSED$/,
    'connection refused',
    'check that the service is running and that the port is correct',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'host name not found'],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT)$/, 'timed out'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'host unreachable'],
  [/^(ECONNRESET|EPIPE)$/, 'the server closed the connection without a response'],
  [/^CERT_HAS_EXPIRED$/, 'its TLS certificate has expired', untrusted],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its TLS certificate is for another name', untrusted],
  [/(SELF_SIGNED|UNABLE_TO|CERT_|^ERR_TLS)/, 'its TLS certificate is not trusted', untrusted],
  [
    /^(EPROTO|ERR_SSL)/,
    'the server does not speak TLS on this port',
    'try http:// instead of https://',
  ],
  [/^HPE_/, 'the server does not speak HTTP on this port', 'try https:// instead of http://'],
]
