import 'reflect-metadata'
import { PemConverter, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A key made on this machine, which never leaves it, and the certificate signing request. PEM. */
export interface KeyAndRequest {
  key: string
  request: string
}

/**
 * Makes a P-256 key and a signing request. The service chooses the subject of the certificate; the
 * one in the request is ignored.
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
