export function logError(error: unknown): void {
  console.error(String(error));
}
