import { useEffect, useState } from 'react'
import { revokeLater } from '../service/object-address.ts'

/** The address under which the browser shows something in memory, as long as the component is there. */
export function useObjectAddress(content: Blob | undefined): string | undefined {
  const [made, setMade] = useState<{ content: Blob; address: string }>()
  useEffect(() => {
    if (!content) return undefined
    const address = URL.createObjectURL(content)
    setMade({ content, address })
    return () => revokeLater(address)
  }, [content])
  // until it has an address of its own, that of the former content is not given for it
  return content && made?.content === content ? made.address : undefined
}
