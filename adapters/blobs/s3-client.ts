import { S3Client, type S3ServiceException } from '@aws-sdk/client-s3'
import { type Failure, internalError, unusable } from '../../functions/core/errors.ts'
import type { S3Target } from '../../functions/core/records/backup-target.ts'
import type { Dialer } from '../net/outbound.ts'
import { IdleTimeoutError, isFailure } from './target-calls.ts'

/**
 * Returns a client for the target's bucket. It dials under the outbound policy and retries
 * transient failures twice.
 */
export function s3Client(target: S3Target, dialer: Dialer, idle: number): S3Client {
  // Turns off the SDK's warning on stderr that its later versions drop Node 20; the pinned versions
  // support it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  return new S3Client({
    region: target.region,
    ...(target.endpoint !== null && { endpoint: target.endpoint }),
    forcePathStyle: target.forcePathStyle,
    credentials: { accessKeyId: target.accessKeyId, secretAccessKey: target.secretAccessKey },
    maxAttempts: 3,
    retryMode: 'standard',
    // The digest of each body is signed anyway. Servers that only implement S3's API do not know
    // the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      httpAgent: dialer.http,
      httpsAgent: dialer.https,
      connectionTimeout: Math.min(idle, 10_000),
      socketTimeout: idle,
      socketAcquisitionWarningTimeout: idle,
    },
  })
}

const full = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
  'EntityTooLarge',
])
const refused = new Set([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'Forbidden',
])

/**
 * Returns a failure with a readable message, which contains only the status and the error code of
 * the server's response. If the signal is aborted, returns its reason.
 */
export function s3Failure(
  error: unknown,
  { where, bucket, idle, signal }: S3Where,
): Failure | unknown {
  if (signal?.aborted) return signal.reason
  if (isFailure(error)) return error
  const { name, code, message, $metadata } = error as S3ServiceException & { code?: string }
  const options = { cause: error }
  if (code === 'OUTBOUND_REFUSED') return unusable(`${where}: ${message}`, options)
  if (code === 'PROXY_FAILED') {
    return internalError(`${where} is unreachable: ${message}`, { ...options, reason: 'timeout' })
  }
  // The SDK also uses this name for connections that were reset.
  if (name === 'TimeoutError' && code !== 'ECONNRESET' && code !== 'EPIPE') {
    return new IdleTimeoutError(where, idle)
  }
  const status = $metadata?.httpStatusCode
  const said = /^[A-Za-z0-9._-]{1,64}$/.test(name) ? name : 'no error code'
  if (status === undefined) {
    return internalError(`${where} is unreachable or closed the connection (${code ?? said})`, {
      ...options,
      reason: 'timeout',
    })
  }
  if (said === 'NoSuchBucket')
    return internalError(`${where} has no bucket ${bucket}`, { ...options, reason: 'conflict' })
  if (full.has(said) || status === 507)
    return internalError(`${where} is full (${said})`, { ...options, reason: 'disk-full' })
  if (refused.has(said)) {
    return internalError(`${where} rejects the access key or its permissions (${said})`, {
      ...options,
      reason: 'conflict',
    })
  }
  return internalError(`${where} responded with ${status} (${said})`, {
    ...options,
    reason: 'conflict',
  })
}

export interface S3Where {
  where: string
  bucket: string
  idle: number
  signal?: AbortSignal
}
