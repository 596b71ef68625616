// What of Mbed TLS is compiled: HMAC over SHA-256, small rather than fast, with memory from
// seed_key.cpp instead of a heap.
#pragma once

#define MBEDTLS_MD_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO taut_mbedtls_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO taut_mbedtls_free

#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void* taut_mbedtls_calloc(size_t count, size_t size);
void taut_mbedtls_free(void* memory);
#ifdef __cplusplus
}
#endif
