import { useEffect, useState } from 'react'
import { revokeLater } from '../service/object-address.ts'

/** The address under which the browser shows something in memory, as long as the component is there. */
export function useObjectAddress(content: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!content) return undefined
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => revokeLater(made)
  }, [content])
  return content && address
}
