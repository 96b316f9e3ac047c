# Filled by the install slice.
