// Prints the number of properties of a country, and the first five. Usage: properties.ts <base URL> <country>
import { createClient, ProblemError } from 'property-catalogue/client';

const [baseUrl = 'http://localhost:8080', country = 'IE'] = process.argv.slice(2);
const catalogue = createClient({ baseUrl });
try {
  const { meta } = await catalogue.listProperties({ country, size: 1 });
  console.log(`${country}: ${meta.pagination.total_entries}`);
  let count = 0;
  for await (const { id } of catalogue.iterateProperties({ country })) {
    if (++count > 5) break;
    const { title, city, phone } = await catalogue.getProperty(id);
    console.log(`${title}, ${city}, ${phone}`);
  }
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
