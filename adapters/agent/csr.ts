import 'reflect-metadata'
import { PemConverter, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A private key, which never leaves this machine, and its signing request. Both are PEM. */
export interface KeyAndRequest {
  key: string
  request: string
}

/**
 * Generates a P-256 key and a certificate signing request. The service ignores the subject in the
 * request and chooses its own.
 */
export async function makeRequest(): Promise<KeyAndRequest> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=agent',
    keys,
    signingAlgorithm: algorithm,
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    key: `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
    request: request.toString('pem'),
  }
}
