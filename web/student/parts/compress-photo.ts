/** Longest side of a photo as it is sent, in points: a certificate can be read at it. */
const maxSide = 2000
const quality = 0.82

/**
 * A photo as it is sent: drawn anew at a size that can still be read, upright as it was held. Nothing of the camera's
 * notes is left, so neither the place nor the device. What the browser cannot draw is sent as it is: the service draws
 * every picture anew as well.
 */
export async function compressPhoto(photo: File): Promise<Blob> {
  try {
    const image = await createImageBitmap(photo, { imageOrientation: 'from-image' })
    const scale = Math.min(1, maxSide / Math.max(image.width, image.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(image.width * scale))
    canvas.height = Math.max(1, Math.round(image.height * scale))
    const context = canvas.getContext('2d')
    if (!context) return photo
    // a transparent picture would become black as a JPEG
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    image.close()
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    return drawn ? new File([drawn], `${photo.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' }) : photo
  } catch {
    return photo
  }
}
