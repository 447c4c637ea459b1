/**
 * The JSON-LD contexts of the Comprehensive Learner Record 2.0, character for character as 1EdTech publishes them (its
 * public validator has them under the Apache License 2.0). No package has them; another text would make another
 * signature.
 */

/** `https://purl.imsglobal.org/spec/clr/v2p0/context-2.0.1.json` */
export const clrContext201 = {
  '@context': {
    id: '@id',
    type: '@type',
    ClrCredential: {
      '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#ClrCredential',
      '@context': {
        id: '@id',
        type: '@type',
        partial: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#partial',
          '@type': 'xsd:boolean',
        },
      },
    },
    ClrSubject: {
      '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#ClrSubject',
      '@context': {
        id: '@id',
        type: '@type',
        cred: 'https://www.w3.org/2018/credentials#',
        obi: 'https://purl.imsglobal.org/spec/vc/ob/vocab.html#',
        achievement: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#achievement',
          '@type': 'obi:Achievement',
          '@container': '@set',
        },
        association: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#association',
          '@type': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#Association',
          '@container': '@set',
        },
        verifiableCredential: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#verifiableCredential',
          '@type': 'cred:verifiableCredential',
          '@container': '@set',
        },
        identifier: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#identifier-1',
          '@type': 'obi:Identifier',
          '@container': '@set',
        },
      },
    },
    Association: {
      '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#Association',
      '@context': {
        associationType: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#AssociationType',
        },
        sourceId: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#sourceId',
          '@type': 'xsd:anyURI',
        },
        targetId: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#targetId',
          '@type': 'xsd:anyURI',
        },
      },
    },
  },
}

/** `https://purl.imsglobal.org/spec/clr/v2p0/context.json` */
export const clrContext = {
  '@context': {
    id: '@id',
    type: '@type',
    ClrCredential: {
      '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#ClrCredential',
      '@context': {
        id: '@id',
        type: '@type',
      },
    },
    ClrSubject: {
      '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#ClrSubject',
      '@context': {
        id: '@id',
        type: '@type',
        cred: 'https://www.w3.org/2018/credentials#',
        obi: 'https://purl.imsglobal.org/spec/ob/v3p0/vocab.html#',
        achievement: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#achievement',
          '@type': 'obi:Achievement',
          '@container': '@set',
        },
        association: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#association',
          '@type': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#Association',
          '@container': '@set',
        },
        verifiableCredential: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#verifiableCredential',
          '@type': 'cred:verifiableCredential',
          '@container': '@set',
        },
      },
    },
    Association: {
      '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#Association',
      '@context': {
        associationType: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#AssociationType',
        },
        sourceId: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#sourceId',
          '@type': 'xsd:anyURI',
        },
        targetId: {
          '@id': 'https://purl.imsglobal.org/spec/vc/clr/vocab.html#targetId',
          '@type': 'xsd:anyURI',
        },
      },
    },
  },
}
